import { Type } from 'typebox';
import { webUrlErrors } from './field-rules.ts';
import { group, text, webUrl } from './field-types.ts';
import { defineKind } from './kind-definition.ts';

const schema = group('Web address', 'A page to go to.', {
  url: webUrl('Address', 'Web address, http or https, without user name and password.'),
  notes: Type.Optional(text('Notes', 'What the page is, for visitors who ask before they go.', 500)),
});

/** A web address. */
export const url = defineKind({
  kind: 'URL',
  label: 'Web address',
  description: 'Opens a page; where a dynamic code leads can change after printing.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: { url: 'PIN_OR_PUBLIC', notes: 'PUBLIC' },
  example: { url: 'https://example.com/menu?table=12' },
  check(data) {
    return webUrlErrors('data.url', data.url);
  },
  toStaticContent(data) {
    return data.url ?? null;
  },
});
