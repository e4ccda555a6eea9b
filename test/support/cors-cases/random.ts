import { seeded } from '../random.ts';
import type { Case } from './case.ts';

/** Requests and answers made from correct and nearly correct parts. */
export function randomCases(count: number, seed: number): Case[] {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const origin = (): string | undefined =>
    pick(['PAGE', 'PAGE', 'PAGE', '*', '*', 'null', undefined, 'PAGE/']);
  const fieldsOf = (): [string, string][] => {
    const fields: [string, string | undefined][] = [
      ['Access-Control-Allow-Origin', origin()],
      ['Access-Control-Allow-Credentials', pick(['true', 'true', undefined, 'TRUE'])],
      ['Access-Control-Allow-Methods', pick(['PUT, PATCH', '*', undefined, 'put', 'GET,PUT', 'PUT DELETE'])],
      [
        'Access-Control-Allow-Headers',
        pick(['x-diary, Authorization', '*', 'X-Diary', undefined, 'content-type, x-diary', 'x-diary;']),
      ],
    ];
    return fields.filter((field): field is [string, string] => field[1] !== undefined);
  };
  return Array.from({ length: count }, (_, i): Case => {
    const [preflight, simple, next] = [fieldsOf(), fieldsOf(), fieldsOf()];
    const code = pick([200, 200, 200, 204, 404, 302]);
    const hops = pick([0, 0, 0, 1, 2]);
    const to = pick(['here', 'other', 'home'] as const);
    const headers = pick([
      {},
      {},
      { 'x-diary': '1' },
      { authorization: 'x' },
      { 'content-type': 'application/json' },
    ]);
    return {
      name: `random ${i}`,
      method: pick(['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      headers: headers as Record<string, string>,
      credentials: random(3) === 0,
      answer: ({ method, path }, places) => {
        const fill = (fields: [string, string][]) =>
          fields.map(([name, value]) => [name, value.replace('PAGE', places.page)] as const);
        if (method === 'OPTIONS') return { status: code, headers: fill(preflight) };
        const place = path === '/first' ? 0 : Number(path.slice(1));
        if (place >= hops) return { status: 200, headers: fill(place === 0 ? simple : next) };
        const target = place === 0 ? places[to] : places.third;
        return { status: 307, headers: [['Location', `${target}/${place + 1}`], ...fill(simple)] };
      },
    };
  });
}
