/** A bar chart as SVG, logarithmic because the compared values often differ by orders of magnitude. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly shown: string;
}

const [WIDTH, ROW, TOP, LABELS, VALUES] = [760, 34, 48, 330, 90];

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Legible on light and dark backgrounds. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const values = bars.map(({ value }) => value);
  const least = 10 ** Math.floor(Math.log10(Math.min(...values)) - 0.5);
  const scale = (WIDTH - LABELS - VALUES) / Math.log10(Math.max(...values) / least);
  const rows = bars.map(({ label, value, shown }, i) => {
    const y = TOP + i * ROW;
    const width = Math.max(2, Math.log10(value / least) * scale).toFixed(1);
    const fill = label.startsWith('food-lookup') ? '#2f8f5b' : '#8a938d';
    return `  <text x="${LABELS - 10}" y="${y + 16}" text-anchor="end">${escaped(label)}</text>
  <rect x="${LABELS}" y="${y}" width="${width}" height="22" rx="3" fill="${fill}"/>
  <text x="${(LABELS + Number(width) + 8).toFixed(1)}" y="${y + 16}">${escaped(shown)}</text>`;
  });
  const height = TOP + bars.length * ROW + 24;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="13" fill="#6b746e">
  <text x="0" y="20" font-size="15" font-weight="600">${escaped(title)}</text>
${rows.join('\n')}
  <text x="${LABELS}" y="${height - 6}" font-size="11">logarithmic scale</text>
</svg>
`;
}
