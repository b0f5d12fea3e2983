import { Type } from 'typebox';
import { findScanUrlErrors, findWebUrlErrors } from './field-rules.ts';
import { createObjectFieldSchema, createTextFieldSchema, createWebUrlFieldSchema } from './field-types.ts';
import { defineQrCodeKind } from './kind-definition.ts';

const schema = createObjectFieldSchema('Website', 'A page to go to.', {
  url: createWebUrlFieldSchema('Web address', 'Web address, http or https, without user name and password.'),
  notes: Type.Optional(
    createTextFieldSchema('Notes', 'What the page is, for visitors who ask before they go.', 500),
  ),
});

export const urlQrCodeKind = defineQrCodeKind({
  kind: 'URL',
  label: 'Website',
  description: 'Opens a page; where a dynamic code leads can change after printing.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: { url: 'PIN_OR_PUBLIC', notes: 'PUBLIC' },
  example: { url: 'https://example.com/menu?table=12' },
  check(data, context) {
    const errors = findWebUrlErrors('data.url', data.url);
    return errors.length > 0 ? errors : findScanUrlErrors('data.url', data.url, context);
  },
  toStaticContent(data) {
    return data.url ?? null;
  },
});
