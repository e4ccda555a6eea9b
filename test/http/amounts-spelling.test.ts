/** Which words of a line may stand for a food of the built-in ones: misspellings, but no other food of nearly the same spelling. */
import { expect, it, test } from 'vitest';
import { openCatalog, readOtherNames } from '#service';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { ask, catalogOf, food, startService } from '../support/service.ts';

const service = serviceForAll(async () =>
  startService(await openCatalog(undefined), {}, await readOtherNames('data/other-names.csv')),
);

/** What each line is taken for, of as many lines as a request may have. */
async function foodsOf(lines: readonly string[], asked = service): Promise<readonly (string | null)[]> {
  const target = `/amounts?${new URLSearchParams(lines.map((line): [string, string] => ['q', line]))}`;
  const { foods } = JSON.parse((await ask(asked, target)).body);
  return foods.map(({ description }: { description: string | null }) => description);
}

const ABSENT = [
  "manchego, za'atar, gochugaru, sumac, nduja, halloumi, burrata, guanciale, taleggio, quark, skyr, asafoetida, ajwain, lovage",
  'galangal, mirin, ponzu, harissa, dukkah, samphire, medlar, sorrel, joghurt, koriander, sinnamon, beaf, veel, melk',
  'partridge, bream, dace, mutton, freekeh, maca, cantal, yacon, tamarillo, bierwurst, hing',
  'kirsch, psyllium, matcha, merguez, kashkaval, crosne, daube, pap',
];

it.each(ABSENT.join(', ').split(', '))('%s, which is not among them, is no food', async (name) => {
  expect(await foodsOf([`100 g ${name}`, `1 tsp chopped ${name}`])).toEqual([null, null]);
});

const MISSPELT =
  'brocoli=broccoli brocolli=broccoli cinammon=cinnamon bananna=banana yoghurt=yogurt yoghourt=yogurt capsicum=pepper zuchini=zucchini ' +
  'zuchinni=zucchini letuce=lettuce spinnach=spinach caulifower=cauliflower cauliflour=cauliflower asparagas=asparagus avacado=avocado ' +
  'rasberries=raspberries pinapple=pineapple tumeric=turmeric parsely=parsley corriander=coriander cinamon=cinnamon ' +
  'mayonaise=mayonnaise mustered=mustard vinagar=vinegar margerine=margarine chedder=cheddar parmesean=parmesan mozerella=mozzarella ' +
  'chiken=chicken tukey=turkey salmom=salmon shirmp=shrimp shrip=shrimp beeef=beef vael=veal sausauge=sausage spagetti=spaghetti ' +
  'lasanga=lasagna toffu=tofu millk=milk aple=apple onoin=onion garlick=garlic gingr=ginger honney=honey buter=butter coucous=couscous ' +
  'humus=hummus jalepino=jalape hazlenut=hazelnut artichoak=artichoke tomat=tomato banan=banana thym=thyme sugr=sugar flur=flour mayo=mayonnaise choc=chocolate';

it.each(MISSPELT.split(' '))('%s', async (pair) => {
  const [typed = '', meant = ''] = pair.split('=');
  const [description] = await foodsOf([`100 g ${typed}`]);
  expect(description?.toLowerCase()).toContain(meant);
});

test('words that are joined or divided are no beginnings of others', async () => {
  expect(await foodsOf(['30 g bread crumbs', '1 cup cole slaw', '4 oz semi-sweet chocolate chips'])).toEqual([
    expect.stringMatching(/^Breadcrumbs/),
    expect.stringMatching(/^Coleslaw/),
    expect.stringMatching(/^Semisweet chocolate/),
  ]);
});

test('a word of nearly the same spelling counts, and one that names another food does not', async () => {
  const few = await startForTest(
    await catalogOf([
      food('Chicken, smoked', { kcal: '150' }),
      food('Chicken, raw', { kcal: '110' }),
      food('Bread', { kcal: '250' }),
    ]),
  );
  expect(await foodsOf(['100 g smaked chicken', '100 g smocal chicken', '100 g bream'], few)).toEqual([
    'Chicken, smoked',
    null,
    null,
  ]);
});
