import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { RECEIVER_SAMPLE } from '../../../../src/features/owner-pages/developers/webhooks/receiver-sample.ts';
import { createWebhookHeaders } from '../../../../src/features/webhooks/webhook-signature.rules.ts';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { t } from '../../../tap.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

t.test(
  'the receiver of the page returns the challenge of a signed event, and is that of the guide',
  async (t) => {
    const guide = readFileSync('docs/guides/webhooks.md', 'utf8');
    t.ok(guide.includes(`<<'END'\n${RECEIVER_SAMPLE}END\n`));
    const port = await findFreePort();
    const receiver = spawn(process.execPath, ['--input-type=module', '--eval', RECEIVER_SAMPLE], {
      env: { WEBHOOK_SECRET: SECRET, RECEIVER_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => receiver.kill());
    await once(createInterface(receiver.stdout), 'line');
    const body = JSON.stringify({ data: { challenge: 'abc' } });
    const send = (sent: string) => {
      const headers = createWebhookHeaders([{ secret: SECRET, endsAt: null }], {
        id: 'a',
        at: new Date(),
        body,
      });
      return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent });
    };
    t.equal(await (await send(body)).text(), 'abc');
    t.equal((await send(`${body} `)).status, 401);
    const at = String(Math.floor(Date.now() / 1000));
    const hostile = {
      'webhook-id': 'a',
      'webhook-timestamp': at,
      'webhook-signature': `v1,\u00e9${'A'.repeat(43)}`,
    };
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: hostile, body });
    t.equal(answer.status, 401, 'as many characters, but more bytes');
  },
);
