import type { Test } from 'tap';
import { buildApp } from '../../../../src/app.ts';
import { createServices } from '../../../../src/services.ts';
import { type CallOptions, TEST_SECRETS, type TestApp, type TestResponse } from '../../../helper.ts';

/** Start a second instance on the database of another, without its memory. */
export async function startSecondInstance(t: Test, first: TestApp): Promise<TestApp> {
  const { config, database } = first.services;
  const services = createServices({
    config,
    secrets: TEST_SECRETS,
    database,
    log: { info() {}, warn() {}, error() {} },
  });
  const app = await buildApp(services, false);
  await app.ready();
  t.teardown(() => app.close());
  const call = async (method: string, url: string, options: CallOptions = {}): Promise<TestResponse> => {
    const response = await app.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: options.headers ?? {},
      ...(options.body === undefined ? {} : { payload: options.body as object }),
    });
    const isJson = String(response.headers['content-type'] ?? '').includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      body: isJson ? response.json() : undefined,
    };
  };
  return { ...first, app, services, call };
}
