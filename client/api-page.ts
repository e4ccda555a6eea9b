/** Renders docs/http-api.md for the page at `/docs`, when the client is built. */
import { Marked, type Tokens } from 'marked';

/** The id of a heading, as GitHub writes it into links. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** @param markdown whose links to other files become plain text, because the service does not serve these files */
export function apiPage(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        return /^(#|https:)/.test(href) ? `<a href="${href}">${text}</a>` : text;
      },
    },
  });
  const links = Array.from(
    markdown.matchAll(/^## (.*)$/gm),
    ([, heading = '']) => `<li><a href="#${idOf(heading)}">${marked.parseInline(heading)}</a></li>\n`,
  );
  const contents = `<nav aria-label="Contents"><ul>\n${links.join('')}</ul></nav>\n`;
  return String(marked.parse(markdown)).replace('<h2', `${contents}<h2`);
}
