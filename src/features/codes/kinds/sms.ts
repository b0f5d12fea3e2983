import { Type } from 'typebox';
import { toMessageNumber } from '../../../shared/phone.ts';
import { createObjectFieldSchema, createPhoneFieldSchema, createTextFieldSchema } from './field-types.ts';
import { defineQrCodeKind } from './kind-definition.ts';

const schema = createObjectFieldSchema('SMS', 'A short message that only needs to be sent.', {
  phone: createPhoneFieldSchema('Phone', 'Number that receives the message.'),
  message: Type.Optional(createTextFieldSchema('Message', 'Text of the message.', 600)),
});

export const smsQrCodeKind = defineQrCodeKind({
  kind: 'SMS',
  label: 'SMS',
  description: 'Opens a prepared short message.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: { phone: 'PIN_OR_PUBLIC', message: 'PUBLIC' },
  example: { phone: '+49 170 1234567', message: 'I would like to take part.' },
  /** `SMSTO:number:text`: no standard, but supported by Android and iOS. */
  toStaticContent({ phone, message }) {
    if (phone === undefined) return null;
    return `SMSTO:${toMessageNumber(phone)}:${message ?? ''}`;
  },
});
