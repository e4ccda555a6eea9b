/** `GET /api/food?q=CODE&match=barcode`. */
import { describe, expect, it, test } from 'vitest';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { ask, catalogOf, food, ORIGIN, startService } from '../support/service.ts';

const CODE = '4006381333931';
const MANY = Array.from({ length: 1000 }, (_, i) => food(`Biscuits ${i}`, { codes: ['5010029000023'] }));

const catalog = catalogOf([
  food('Egg, whole, raw', { codes: [CODE, '96385074'] }),
  food('Salt', { codes: ['12345000065'] }),
  ...MANY,
]);
const service = serviceForAll(async () => startService(await catalog, { allowedOrigin: ORIGIN }));

const codeTarget = (q: string): string => `/api/food?${new URLSearchParams({ q, match: 'barcode' })}`;
const namesIn = (body: string): string[] =>
  (JSON.parse(body) as { description: string }[]).map(({ description }) => description);
const namesFound = async (q: string) => namesIn((await ask(service, codeTarget(q))).body);

describe('a code', () => {
  it.each([CODE, `0${CODE}`, '4 006381-333931', '96385074', '00000096385074', ' 9638-5074 '])(
    'finds its food as %j',
    async (q) => expect(await namesFound(q)).toEqual(['Egg, whole, raw']),
  );

  test('of UPC-E is expanded', async () => expect(await namesFound('01234565')).toEqual(['Salt']));

  it.each(['4006381333932', '400638133393', 'egg', ' ', '0', '5.01E+12', '1'.repeat(5000)])(
    'of no food finds none: %j',
    async (q) => expect(await ask(service, codeTarget(q))).toMatchObject({ status: 200, body: '[]' }),
  );

  test('of 1,000 foods finds the first 100, in the order of a search', async () => {
    const found = await namesFound('5010029000023');
    expect(found).toHaveLength(100);
    expect(namesIn(String(await (await catalog).search('Biscuits')))).toEqual(found);
  });

  test('is answered like a search', async () => {
    const { body, headers } = await ask(service, codeTarget(CODE), { headers: { origin: ORIGIN } });
    const fields = ['carbohydrate_g', 'protein_g', 'fat_g', 'kcal', 'description'];
    expect(Object.keys(JSON.parse(body)[0])).toEqual(fields);
    expect(headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: 'Origin, Accept-Encoding' });
    expect(headers.etag).toContain('-barcode-');
    const known = { headers: { 'if-none-match': headers.etag ?? '' } };
    expect((await ask(service, codeTarget(CODE), known)).status).toBe(304);
    expect((await ask(service, '/api/food?match=barcode')).body).toContain('Missing required parameter `q`');
  });

  test('needs match=barcode in this spelling', async () => {
    const error =
      'The parameter `match` is "Barcode". Leave it out to search for the text, use match=words to search for its words, or match=barcode for the code of a packet.';
    const reply = await ask(service, `/api/food?q=${CODE}&match=Barcode`);
    expect(reply).toMatchObject({ status: 400, body: JSON.stringify({ error }) });
  });
});

test('metrics count codes', async () => {
  const own = await startForTest(await catalog);
  for (const target of [codeTarget(CODE), codeTarget('1')]) await ask(own, target);
  const { body } = await ask(own, '/metrics');
  for (const line of ['answers_total{match="barcode"} 2', 'barcode_lookup_duration_seconds_count 2'])
    expect(body).toContain(`\nfood_lookup_${line}\n`);
  expect(body).toContain(
    '# HELP food_lookup_answers_total Searches answered, by how the text was matched, and look-ups answered: portions, names, nutrients, amounts\n',
  );
});
