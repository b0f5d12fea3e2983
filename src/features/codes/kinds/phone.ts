import { Type } from 'typebox';
import { toDialableNumber } from './field-rules.ts';
import { lineField, objectField, phoneField, textField } from './field-types.ts';
import { defineKind } from './kind-definition.ts';

const schema = objectField('Phone', 'A number to call.', {
  phone: phoneField(),
  name: Type.Optional(lineField('Name', 'Who answers.')),
  notes: Type.Optional(textField('Notes', 'When to call.', 500)),
});

export const phoneKind = defineKind({
  kind: 'PHONE',
  label: 'Phone',
  description: 'Dials a number.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: { name: 'PUBLIC', phone: 'PIN_OR_PUBLIC', notes: 'PUBLIC' },
  example: { phone: '+49 30 1234567', name: 'Caretaker', notes: 'Weekdays, 8 to 16.' },
  /** RFC 3966. */
  toStaticContent(data) {
    return data.phone === undefined ? null : `tel:${toDialableNumber(data.phone)}`;
  },
});
