import { createObjectFieldSchema, createTextFieldSchema } from './field-types.ts';
import { defineQrCodeKind } from './kind-definition.ts';

const schema = createObjectFieldSchema('Text', 'A few words.', {
  text: createTextFieldSchema(
    'Text',
    'What the scanner reads. In a STATIC code there is room for about 2,900 bytes.',
    5000,
  ),
});

export const textQrCodeKind = defineQrCodeKind({
  kind: 'TEXT',
  label: 'Text',
  description: 'Shows a text.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: { text: 'PIN_OR_PUBLIC' },
  example: { text: 'Water me on Mondays and Thursdays.\nThe can is behind the door.' },
  toStaticContent(data) {
    return data.text ?? null;
  },
});
