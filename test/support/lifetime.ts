/** Services that end with the tests that need them; apart from `service.ts`, which is also used outside of tests. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Service, startService } from './service.ts';

/** A service for all tests of a file or of a group. */
export function serviceForAll(start: () => Promise<Service>): Service {
  const service = {} as Service;
  beforeAll(async () => void Object.assign(service, await start()));
  afterAll(() => service.close());
  return service;
}

/** A service until the end of the test that starts it. */
export async function startForTest(...args: Parameters<typeof startService>): Promise<Service> {
  const service = await startService(...args);
  onTestFinished(() => service.close());
  return service;
}
