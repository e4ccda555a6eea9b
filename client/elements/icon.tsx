/** Icons on a grid of 20. The text beside them says the same, so screen readers skip them. */
const PATHS = {
  search: 'M8.5 3a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM12.6 12.6 17 17',
  plus: 'M10 4v12M4 10h12',
  star: 'm10 2.8 2.2 4.6 5 .7-3.6 3.5.9 5-4.5-2.4-4.5 2.4.9-5L2.8 8.1l5-.7Z',
  cross: 'm5.5 5.5 9 9M14.5 5.5l-9 9',
  link: 'M8.5 11.5a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-2.6 2.6a3 3 0 0 0 4.2 4.2l1-1',
  copy: 'M7.5 7.5h8v9h-8zM12.5 7.5v-4h-8v9h3',
  label: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h4',
  camera: 'M3 6.5h3l1.5-2h5l1.5 2h3v9.5H3zM10 8.3a2.7 2.7 0 1 1 0 5.4a2.7 2.7 0 0 1 0-5.4',
  print: 'M6 8V3.5h8V8M6 14H3.5V8h13v6H14M6 11.5h8v5H6z',
  check: 'm4.5 10.5 3.7 3.7 7.3-8',
  up: 'm5 12 5-5 5 5',
  down: 'm5 8 5 5 5-5',
  trash: 'M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.8 11h7.4l.8-11',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
