/** What the page does if it cannot read responses, or if the data set is replaced. */
import { expectCount, expectText, expectTexts, test } from '../support/client-page.ts';
import { startForTest } from '../support/lifetime.ts';
import { foods } from '../support/page-parts.ts';
import { search } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { food, memoryCatalogOf } from '../support/service.ts';

describeWithChromium('the page', () => {
  test('reports a service that stops, and notices its return', async ({ pages }) => {
    pages.expectFaults();
    let own = await startForTest(pages.catalog, { nodeEnv: 'production' });
    const page = await pages.open({}, own.url);
    await search(page, 'egg');
    await own.close();
    await search(page, 'banana');
    const alert = page.getByRole('alert').filter({ hasText: 'The food service does not answer' });
    await alert.waitFor();
    // Another failed attempt changes nothing on the page.
    const tried = page.waitForEvent('requestfailed');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await tried;
    // The foods found before stay.
    await expectCount(foods(page)).toBeGreaterThan(0);
    await expectCount(alert).toBe(1);
    own = await startForTest(pages.catalog, { nodeEnv: 'production', port: own.port });
    await alert.waitFor({ state: 'detached' });
    await expectText(foods(page).first()).toMatch(/banana/i);
  });

  test('tells a blocked response from a service that is down, and names the setting', async ({ pages }) => {
    pages.expectFaults();
    let other = await startForTest(pages.catalog);
    const page = await pages.open({}, `${pages.service.url}/?api=${encodeURIComponent(other.url)}`);
    await search(page, 'egg');
    const alert = page.getByRole('alert');
    await expectText(alert.getByRole('heading')).toBe('The browser blocks the answers');
    await expectText(alert.getByRole('code')).toBe(`ALLOWED_ORIGIN=${pages.service.url}`);
    await other.close();
    await alert.filter({ hasText: `Nothing answers at ${other.url}` }).waitFor();
    // The service restarts with the setting that the page named.
    other = await startForTest(pages.catalog, { allowedOrigin: pages.service.url, port: other.port });
    await page.getByRole('row', { name: /^Egg, whole, raw/ }).waitFor();
    await expectText(page.getByText('Answers come from')).toContain(other.url);
  });

  test('shows the data set that the answers are from, even after it is replaced', async ({ pages }) => {
    pages.expectFaults();
    const first = await memoryCatalogOf([food('Egg, boiled'), food('Egg, raw')]);
    const second = await memoryCatalogOf([food('Egg of the new data')]);
    let own = await startForTest(first, { nodeEnv: 'production' });
    const page = await pages.open({}, own.url);
    await search(page, 'egg');
    await expectCount(foods(page)).toBe(2);
    const facts = page.locator('.data-set');
    await expectText(facts).toContain('2 foods');
    await own.close();
    own = await startForTest(second, { nodeEnv: 'production', port: own.port });
    await search(page, 'data');
    await facts.filter({ hasText: /^1 food ·/ }).waitFor();
    const changed = page.getByText(/^The data set has changed\. Foods are now from .*, 1 food\.$/);
    await changed.first().waitFor();
    // Neither the page nor the browser uses a cached answer.
    await search(page, 'egg');
    await expectTexts(page.locator('.foods .description')).toEqual(['Egg of the new data']);
    await page.getByRole('button', { name: 'Close' }).click();
    await expectCount(page.locator('.notice')).toBe(0);
  });

  test('searches again for an earlier text on another origin, without its tags', async ({ pages }) => {
    const settings = { allowedOrigin: pages.service.url };
    let other = await startForTest(await memoryCatalogOf([food('Egg, boiled')]), settings);
    const page = await pages.open({}, `${pages.service.url}/?api=${encodeURIComponent(other.url)}`);
    await search(page, 'egg');
    await search(page, 'eg');
    await other.close();
    const fresh = await memoryCatalogOf([food('Egg of the new data')]);
    other = await startForTest(fresh, { ...settings, port: other.port });
    await search(page, 'egg');
    await expectTexts(page.locator('.foods .description')).toEqual(['Egg of the new data']);
  });

  test('asks an overloaded service again after a second, before it reports anything', async ({ page }) => {
    let refusals = 1;
    const refusal = { status: 503, headers: { 'retry-after': '1' }, json: { error: 'overloaded' } };
    await page.route('**/api/food?*', (route) =>
      refusals-- > 0 ? route.fulfill(refusal) : route.continue(),
    );
    await search(page, 'egg');
    await expectCount(foods(page)).toBeGreaterThan(0);
    refusals = 2;
    await search(page, 'milk');
    await page.getByText('overloaded (status 503)').waitFor();
  });

  test("shows the service's error message", async ({ page, pages }) => {
    pages.expectFaults();
    await search(page, 'a'.repeat(17_000));
    const message = 'The address is too long: 17032 characters, at most 16384 are read. (status 414)';
    await expectText(page.getByRole('alert')).toContain(message);
    await search(page, 'egg');
    await expectCount(page.getByRole('alert')).toBe(0);
  });

  test('rejects a response that is not from a food search', async ({ page }) => {
    const other = { body: '<h1>Log in</h1>', contentType: 'text/html' };
    await page.route('**/api/food?*', (route) => route.fulfill(other));
    await search(page, 'egg');
    await page.getByText('The response (status 200) is not from a food search. (status 200)').waitFor();
  });
});
