/** Icons on a grid of 20. The text beside them says the same, so screen readers skip them. */
const PATHS = {
  search: 'M8.5 3a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM12.6 12.6 17 17',
  plus: 'M10 4v12M4 10h12',
  star: 'm10 2.8 2.2 4.6 5 .7-3.6 3.5.9 5-4.5-2.4-4.5 2.4.9-5L2.800 8.100l5-.7Z',
  cross: 'm5.500 5.500 9 9M14.500 5.500l-9 9',
  link: 'M8.500 11.500a3 3 0 0 0 4.200 0l2.600-2.600a3 3 0 0 0-4.200-4.200l-1 1M11.500 8.500a3 3 0 0 0-4.200 0l-2.600 2.600a3 3 0 0 0 4.200 4.200l1-1',
  copy: 'M7.500 7.500h8v9h-8zM12.500 7.500v-4h-8v9h3',
  label: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h4',
  camera:
    'M3 6.500h3l1.500-2h5l1.500 2h3v9.500H3zM10 8.300a2.700 2.700 0 1 1 0 5.400a2.700 2.700 0 0 1 0-5.400',
  print: 'M6 8V3.500h8V8M6 14H3.500V8h13v6H14M6 11.500h8v5H6z',
  check: 'm4.500 10.500 3.700 3.700 7.300-8',
  up: 'm5 12 5-5 5 5',
  down: 'm5 8 5 5 5-5',
  trash: 'M4 5.500h12M8 5.500v-2h4v2M5.500 5.500l.8 11h7.400l.8-11',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
