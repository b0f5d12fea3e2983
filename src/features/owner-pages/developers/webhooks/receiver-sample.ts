/** A receiver without dependencies, as docs/guides/webhooks.md explains it; tests run it. */
export const RECEIVER_SAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - at) < 300)) return false;
  const hmac = createHmac('sha256', key).update(\`\${id}.\${at}.\${body}\`).digest('base64');
  const expected = Buffer.from(\`v1,\${hmac}\`);
  const given = signatures.split(' ').map((one) => Buffer.from(one));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const isValid = isSigned(request.headers, body);
  // A new public address returns the challenge that it gets.
  response.writeHead(isValid ? 200 : 401).end(isValid ? JSON.parse(body).data.challenge : '');
  if (isValid) console.log(body);
}).listen(process.env.RECEIVER_PORT, () => console.log('ready'));
`;
