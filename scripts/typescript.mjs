/**
 * Makes Node.js itself load the sources, with types removed. Vitest's loader takes four times as long, and makes code slower,
 * because every use of an import goes through an object.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'rolldown/utils';

// Node.js loads this file again, in the thread of its loaders.
if (isMainThread && !globalThis.loadsTypescript) {
  globalThis.loadsTypescript = true;
  register(import.meta.url);
}

/** Where a source imports a door, this is the source of the door, not what was built of it. */
export function resolve(specifier, context, next) {
  if (!specifier.startsWith('#') || !/\.tsx?(\?|$)/.test(context.parentURL)) return next(specifier, context);
  const doors = ['src', 'packages'].map(
    (folder) => new URL(`../${folder}/${specifier.slice(1)}/index.ts`, import.meta.url),
  );
  return next(doors.find(existsSync)?.href ?? specifier, context);
}

/** See https://nodejs.org/api/module.html#loadurl-context-nextload */
export async function load(url, context, next) {
  const [file] = url.split('?');
  if (!/\.tsx?$/.test(file)) return next(url, context);
  const path = fileURLToPath(file);
  const { code, map, errors } = await transform(path, await readFile(path, 'utf8'), { sourcemap: true });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`;
  return { format: 'module', shortCircuit: true, source };
}
