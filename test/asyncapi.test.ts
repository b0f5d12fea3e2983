import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { CLIENT_EVENT_SCHEMAS, SERVER_EVENT_SCHEMAS } from '../src/features/realtime/realtime.schemas.ts';
import { EVENT_TYPE_NAMES } from '../src/shared/event-types.ts';
import { startTestApp } from './helper.ts';
import { t } from './tap.ts';

const ASYNCAPI_SCHEMA = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json');

const { call } = await startTestApp(t);
const { body: document, headers } = await call('GET', '/api/docs/asyncapi');

t.test('the document has every event of webhooks and of the WebSocket', (t) => {
  t.match(headers, { 'content-type': /^application\/json/, etag: /^"/ });
  const { realtime, webhooks } = document.channels;
  t.same(
    Object.keys(realtime.messages).toSorted(),
    [
      ...Object.keys(SERVER_EVENT_SCHEMAS).map((name) => `server.${name}`),
      ...Object.keys(CLIENT_EVENT_SCHEMAS).map((name) => `client.${name}`),
    ].toSorted(),
  );
  t.same(
    Object.keys(webhooks.messages),
    EVENT_TYPE_NAMES.map((name) => `webhook.${name}`),
  );
  t.match(document.servers.service, { host: 'qr.example.org', protocol: 'wss' });
  t.match(Object.keys(document.components.schemas).toSorted(), ['AccountEvent']);
  t.end();
});

t.test(
  'the document is valid by the JSON Schema of AsyncAPI, and each reference leads to a part of it',
  (t) => {
    const isValid = new Ajv({ strict: false, logger: false }).compile(ASYNCAPI_SCHEMA);
    t.ok(isValid(document), JSON.stringify(isValid.errors?.slice(0, 3)));
    t.notOk(isValid({ ...document, operations: { wrong: { action: 'shout' } } }), 'an unknown action is not');
    for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = path.split('/').reduce((part, key) => part?.[key], document);
      t.ok(found, path);
    }
    t.end();
  },
);
