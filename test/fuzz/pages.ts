import type { Operation, Schema } from './document.ts';

const FORM = 'application/x-www-form-urlencoded';
const text = { type: 'string', maxLength: 60 };

const ID: Schema = { type: 'string', pattern: '^[0-9a-f]{24}$' };

/**
 * Pages for people, which are no part of the interface and so not in its document: requests to them are generated
 * like all others, and their answers judged by what holds for any answer.
 */
export const PAGES: readonly Operation[] = [
  page('GET', '/s/{qrCodeId}', { qrCodeId: ID }),
  page(
    'POST',
    '/s/{qrCodeId}/pin',
    { qrCodeId: ID },
    { visit: text, pin: { enum: ['1234', '0000', '12345678', ''] } },
  ),
  page('GET', '/s/{qrCodeId}/contact.vcf', { qrCodeId: ID }),
  page('GET', '/s/{qrCodeId}/event.ics', { qrCodeId: ID }),
  page('GET', '/s/{qrCodeId}/story', { qrCodeId: ID }),
  page('GET', '/s/{qrCodeId}/entries', { qrCodeId: ID }),
  page(
    'POST',
    '/s/{qrCodeId}/guest-book',
    { qrCodeId: ID },
    { visit: text, message: text, name: text, nothing: text, confirmed: { enum: ['yes', ''] } },
  ),
  page('GET', '/s/{qrCodeId}/entries/{entry}', { qrCodeId: ID, entry: text }),
  page('POST', '/s/{qrCodeId}/entries/{entry}/withdraw', { qrCodeId: ID, entry: text }, {}),
  page('GET', '/s/test/{token}', { token: text }),
  page('GET', '/s/d', {}),
  page('POST', '/s/d', {}, { link: text }),
  page('GET', '/s/d/{token}', { token: text }),
  page('GET', '/api/docs/errors/{code}', { code: { enum: ['NOT_FOUND', 'INTERNAL', 'UNHEARD_OF'] } }),
  page('GET', '/api/sandbox/mailbox', {}),
  page('GET', '/api/sandbox/mailbox/{file}', { file: text }),
  page('GET', '/api/auth/reset-password', {}),
];

function page(
  method: string,
  path: string,
  parameters: Record<string, Schema>,
  fields?: Record<string, Schema>,
): Operation {
  return {
    id: `pages.${method} ${path}`,
    method,
    path,
    parameters: Object.entries(parameters).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema,
    })),
    bodies: fields ? { [FORM]: { type: 'object', properties: fields } } : {},
    examples: {},
    responses: {},
  };
}
