/**
 * Writes `sbom.cdx.json` (CycloneDX): every package that a release contains or installs. `npm sbom` lists those of the service,
 * and the licence notices of the built page those built into it.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { npm } from './npm.ts';

interface Component {
  name: string;
  readonly 'bom-ref': string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}
interface Bill {
  readonly metadata: { readonly component: Component };
  components: readonly Component[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Names of the packages in the page, from the notices of its build. */
async function builtIn(): Promise<Set<string>> {
  const notices = await readFile('dist/client/licences.txt', 'utf8');
  return new Set(Array.from(notices.matchAll(/^## (\S+) - /gm), ([, name = '']) => name));
}

const { name } = JSON.parse(await readFile('package.json', 'utf8')) as { name: string };
const [{ stdout }, inPage] = await Promise.all([
  promisify(execFile)(...npm(['sbom', '--sbom-format=cyclonedx', '--sbom-type=application']), {
    maxBuffer: 2 ** 26,
  }),
  builtIn(),
]);
const bill = JSON.parse(stdout) as Bill;
const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some((each) => each.name === 'cdx:npm:package:development' && each.value === 'true');
// npm uses the name of the folder.
bill.metadata.component.name = name;
bill.components = bill.components.filter((each) => !isForDevelopment(each) || inPage.has(each.name));
const kept = new Set([bill.metadata.component, ...bill.components].map((each) => each['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
await writeFile('sbom.cdx.json', `${JSON.stringify(bill, null, 2)}\n`);
console.log(
  `sbom.cdx.json: ${bill.components.length} packages; built into the page: ${[...inPage].toSorted().join(', ')}`,
);
