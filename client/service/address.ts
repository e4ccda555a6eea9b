/**
 * The address of the service.
 */
const PAGE = new URL('.', location.href);

const CONFIGURED = new URLSearchParams(location.search).get('api') || import.meta.env.VITE_API || undefined;

/** `?api=ADDRESS`, or the build variable VITE_API; otherwise the folder of the page. */
export const SERVICE = serviceAt(CONFIGURED) ?? PAGE;

/** The configured address if it cannot be that of a service. */
export const REFUSED_ADDRESS = serviceAt(CONFIGURED) === undefined ? CONFIGURED : undefined;

/** The page can read nothing but foods from a service elsewhere. */
export const IS_ELSEWHERE = SERVICE.origin !== location.origin;

/** People write `localhost:3001`, and copy the address of the search. */
function serviceAt(configured: string | undefined): URL | undefined {
  if (configured === undefined) return PAGE;
  const isHost = /^(\[[\da-f:]+\]|[\w-]+(\.[\w-]+)*)(:\d+)?(\/.*)?$/i.test(configured);
  const text = isHost ? `${location.protocol}//${configured}` : configured;
  if (!URL.canParse(text, PAGE)) return undefined;
  const address = new URL(text, PAGE);
  if (!/^https?:$/.test(address.protocol)) return undefined;
  address.pathname = `${address.pathname.replace(/(\/api\/food)?\/*$/, '')}/`;
  address.search = '';
  address.hash = '';
  return address;
}
