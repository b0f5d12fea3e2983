import { Type } from 'typebox';
import { toTelUri } from '../../../shared/phone.ts';
import {
  createObjectFieldSchema,
  createPhoneFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
} from './field-types.ts';
import { defineQrCodeKind } from './kind-definition.ts';

const schema = createObjectFieldSchema('Phone', 'A number to call.', {
  phone: createPhoneFieldSchema(),
  name: Type.Optional(createSingleLineFieldSchema('Name', 'Who answers.')),
  notes: Type.Optional(createTextFieldSchema('Notes', 'When to call.', 500)),
});

export const phoneQrCodeKind = defineQrCodeKind({
  kind: 'PHONE',
  label: 'Phone',
  description: 'Dials a number.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: { name: 'PUBLIC', phone: 'PIN_OR_PUBLIC', notes: 'PUBLIC' },
  example: { phone: '+49 30 1234567', name: 'Caretaker', notes: 'Weekdays, 8 to 16.' },
  toStaticContent(data) {
    return data.phone === undefined ? null : toTelUri(data.phone);
  },
});
