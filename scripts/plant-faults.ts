/**
 * Plants faults, to see whether tests catch them: npm run --silent plant-faults SEED OTHER lists 60 in four rooms, of lines that
 * occur once here and once in the tree OTHER; the seed chooses. LIST N TREE plants number N of a file with such a list.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

const KINDS = ['flipped comparison', 'dropped line', 'off by one'] as const;
const PAIRS = ['<', '<=', '>', '>=', '===', '!==', '&&', '||'];

type Fault = Readonly<Record<'rank' | 'room' | 'kind' | 'before' | 'after', string>>;
type Node = Readonly<Record<string, unknown>> & { readonly start: number; readonly end: number };
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

const filesOf = (tree: string, folder: string) =>
  readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => join(folder, name))
    .map((file) => ({ file, code: readFileSync(join(tree, file), 'utf8') }));

/** The faults that the functions of a file can have. */
function faultsIn(code: string, room: string, seed: string): Fault[] {
  const faults: Fault[] = [];
  const add = (kind: 0 | 1 | 2, from: number, to: number, text: string): void => {
    const [start, stop] = [code.lastIndexOf('\n', from) + 1, code.indexOf('\n', from)];
    const after = (code.slice(start, from) + text + code.slice(to, stop)).trim();
    const fault = { room, kind: KINDS[kind], before: code.slice(start, stop).trim(), after };
    const hash = createHash('md5').update(`${seed}${Object.values(fault)}`);
    if (to <= stop && (kind !== 1 || after === ';')) faults.push({ rank: hash.digest('hex'), ...fault });
  };
  const visit = (node: Node, isInside: boolean): void => {
    const { start, end, left, right, raw } = node;
    const [type, sign] = [String(node.type), String(node.operator)];
    const isStep = /^[-+]$/.test(sign) && isNode(right) && right.raw === '1';
    const [from, at] = [code.indexOf(sign, isNode(left) ? left.end : start), PAIRS.indexOf(sign)];
    if (isInside && at >= 0) add(0, from, from + sign.length, String(PAIRS[at ^ 1]));
    else if (isInside && isStep && isNode(left)) add(2, left.end, end, '');
    else if (isInside && /^\d+$/.test(String(raw))) add(2, start, end, String(Number(raw) + 1));
    else if (isInside && /^(Expression|If|Throw)Statement$/.test(type)) add(1, start, end, ';');
    for (const child of Object.values(node).flat())
      if (isNode(child) && !(isStep && child === right)) visit(child, isInside || /Function/.test(type));
  };
  visit(parseSync('a.ts', code).program as unknown as Node, false);
  return faults;
}

/** Where a fault is, and the file with it; nothing if its line is not there once, or if the file would not parse. */
function planted(tree: string, { before, after }: Fault) {
  const files = ['src', 'packages'].flatMap((folder) => filesOf(tree, folder));
  const [found, ...others] = files.flatMap(({ file, code }) => {
    const lines = code.split('\n');
    const at = [...lines.keys()].filter((i) => lines[i]?.trim() === before);
    return at.map((i) => ({ file, place: `${file}:${i + 1}`, code: lines.with(i, after).join('\n') }));
  });
  const isWhole = found && others.length === 0 && parseSync(found.file, found.code).errors.length === 0;
  return isWhole ? found : undefined;
}

const [seed = '', other = '', tree] = process.argv.slice(3);
if (other === '') throw new Error('Expected SEED OTHER, or LIST N TREE.');
if (tree === undefined) {
  const list = ['src/engine', 'src/service/http', 'src/tables', 'src/postgres'].flatMap((room) => {
    const all = filesOf('.', room).flatMap(({ code }) => faultsIn(code, room, seed));
    const ranked = all.sort((a, b) => (a.rank < b.rank ? -1 : 1));
    return KINDS.flatMap((kind) => {
      const chosen: (Fault & { readonly here: string; readonly there: string })[] = [];
      for (const fault of ranked.filter((each) => each.kind === kind)) {
        const [here, there] = ['.', other].map((each) => planted(each, fault)?.place);
        if (here && there && chosen.push({ ...fault, here, there }) === 5) break;
      }
      return chosen;
    });
  });
  console.log(JSON.stringify(list, null, 2));
} else {
  const { file, code } = planted(tree, JSON.parse(readFileSync(seed, 'utf8'))[Number(other) - 1]) ?? {};
  if (!file || !code) throw new Error('no line is as before, or more than one');
  writeFileSync(join(tree, file), code);
}
