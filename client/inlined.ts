/**
 * Moves script and styles into each page. While one release replaces another, two requests for one page may be answered by both,
 * and neither has the script of the other.
 */
import type { Plugin, Rollup } from 'vite';

const SCRIPT = /\s*<script type="module"[^>]* src="\.\/([^"]+)"><\/script>/g;
const STYLES = /<link rel="stylesheet"[^>]* href="\.\/([^"]+)">/g;

/** What would end a script or styles in a page, or begin a comment there. */
const ENDS = /<!--|<\/(?:script|style)/i;

export const inlined: Plugin = {
  name: 'inlined',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const taken = new Set<string>();
      const take = (name: string): string => {
        taken.add(name);
        return textOf(bundle[name], name);
      };
      for (const [name, page] of Object.entries(bundle)) {
        if (page.type !== 'asset' || !name.endsWith('.html')) continue;
        const scripts: string[] = [];
        const html = String(page.source)
          .replace(SCRIPT, (_tag, file) => {
            scripts.push(`<script type="module">${take(file)}</script>\n`);
            return '';
          })
          .replace(STYLES, (_tag, file) => `<style>${take(file)}</style>`);
        // At the end, so that the page is painted and its box works while the script still arrives.
        page.source = html.replace('  </body>', () => `${scripts.join('')}  </body>`);
      }
      for (const name of taken) delete bundle[name];
    },
  },
};

function textOf(file: Rollup.OutputAsset | Rollup.OutputChunk | undefined, name: string): string {
  if (file === undefined) throw new Error(`${name} is in no bundle`);
  if (file.type === 'chunk' && file.imports.length > 0)
    throw new Error(`${name} imports ${file.imports}, which a page cannot contain as well`);
  const text = file.type === 'asset' ? String(file.source) : file.code;
  if (ENDS.test(text)) throw new Error(`${name} contains ${ENDS.exec(text)}`);
  return text.trim();
}
