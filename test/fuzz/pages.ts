import type { Operation, Schema } from './document.ts';

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';
const textSchema = { type: 'string', maxLength: 60 };

const ID_SCHEMA: Schema = { type: 'string', pattern: '^[0-9a-f]{24}$' };

/**
 * HTML pages, which are not in the OpenAPI document. They are fuzzed like all other operations, and checked by the
 * rules for every response.
 */
export const PAGE_OPERATIONS: readonly Operation[] = [
  createPageOperation('GET', '/s/{qrCodeId}', { qrCodeId: ID_SCHEMA }),
  createPageOperation(
    'POST',
    '/s/{qrCodeId}/pin',
    { qrCodeId: ID_SCHEMA },
    { visit: textSchema, pin: { enum: ['1234', '0000', '12345678', ''] } },
  ),
  createPageOperation('GET', '/s/{qrCodeId}/contact.vcf', { qrCodeId: ID_SCHEMA }),
  createPageOperation('GET', '/s/{qrCodeId}/event.ics', { qrCodeId: ID_SCHEMA }),
  createPageOperation('GET', '/s/{qrCodeId}/story', { qrCodeId: ID_SCHEMA }),
  createPageOperation('GET', '/s/{qrCodeId}/entries', { qrCodeId: ID_SCHEMA }),
  createPageOperation(
    'POST',
    '/s/{qrCodeId}/guest-book',
    { qrCodeId: ID_SCHEMA },
    {
      visit: textSchema,
      message: textSchema,
      name: textSchema,
      nothing: textSchema,
      confirmed: { enum: ['yes', ''] },
    },
  ),
  createPageOperation('GET', '/s/{qrCodeId}/entries/{entry}', { qrCodeId: ID_SCHEMA, entry: textSchema }),
  createPageOperation(
    'POST',
    '/s/{qrCodeId}/entries/{entry}/withdraw',
    { qrCodeId: ID_SCHEMA, entry: textSchema },
    {},
  ),
  createPageOperation('GET', '/s/test/{token}', { token: textSchema }),
  createPageOperation('POST', '/s/test/{token}', { token: textSchema }, {}),
  createPageOperation('GET', '/s/d', {}),
  createPageOperation('POST', '/s/d', {}, { link: textSchema }),
  createPageOperation('GET', '/s/d/{token}', { token: textSchema }),
  createPageOperation('GET', '/api/docs/errors/{code}', {
    code: { enum: ['NOT_FOUND', 'INTERNAL', 'UNHEARD_OF'] },
  }),
  createPageOperation('GET', '/api/sandbox/mailbox', {}),
  createPageOperation('GET', '/api/sandbox/mailbox/{file}', { file: textSchema }),
  createPageOperation('GET', '/api/sandbox/mailbox/{file}/html', { file: textSchema }),
  createPageOperation('GET', '/api/auth/reset-password', {}),
];

function createPageOperation(
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
    bodies: fields ? { [FORM_CONTENT_TYPE]: { type: 'object', properties: fields } } : {},
    examples: {},
    responses: {},
  };
}
