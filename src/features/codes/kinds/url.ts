import { Type } from 'typebox';
import { findWebUrlErrors } from './field-rules.ts';
import { objectField, textField, webUrlField } from './field-types.ts';
import { defineKind } from './kind-definition.ts';

const schema = objectField('Web address', 'A page to go to.', {
  url: webUrlField('Address', 'Web address, http or https, without user name and password.'),
  notes: Type.Optional(textField('Notes', 'What the page is, for visitors who ask before they go.', 500)),
});

export const urlKind = defineKind({
  kind: 'URL',
  label: 'Web address',
  description: 'Opens a page; where a dynamic code leads can change after printing.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: { url: 'PIN_OR_PUBLIC', notes: 'PUBLIC' },
  example: { url: 'https://example.com/menu?table=12' },
  check(data) {
    return findWebUrlErrors('data.url', data.url);
  },
  toStaticContent(data) {
    return data.url ?? null;
  },
});
