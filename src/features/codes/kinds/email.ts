import { Type } from 'typebox';
import {
  createEmailFieldSchema,
  createObjectFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
} from './field-types.ts';
import { defineQrCodeKind } from './kind-definition.ts';

const schema = createObjectFieldSchema('Email', 'An email that only needs to be sent.', {
  email: createEmailFieldSchema('Email', 'Address that receives the email.'),
  subject: Type.Optional(createSingleLineFieldSchema('Subject', 'Subject of the email.', 200)),
  body: Type.Optional(createTextFieldSchema('Message', 'Text of the email.', 1000)),
});

export const emailQrCodeKind = defineQrCodeKind({
  kind: 'EMAIL',
  label: 'Email',
  description: 'Opens a prepared email.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: { email: 'PIN_OR_PUBLIC', subject: 'PUBLIC', body: 'PUBLIC' },
  example: {
    email: 'booking@example.com',
    subject: 'A table for two',
    body: 'Hello,\nwe would like to come on …',
  },
  /** RFC 6068: everything percent-encoded, line breaks as %0D%0A. */
  toStaticContent({ email, subject, body }) {
    if (email === undefined) return null;
    const fields = [
      subject === undefined ? [] : [`subject=${encodeURIComponent(subject)}`],
      body === undefined ? [] : [`body=${encodeURIComponent(body.replace(/\n/g, '\r\n'))}`],
    ].flat();
    const to = encodeURIComponent(email).replace('%40', '@');
    return `mailto:${to}${fields.length > 0 ? `?${fields.join('&')}` : ''}`;
  },
});
