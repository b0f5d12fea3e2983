import { objectField, textField } from './field-types.ts';
import { defineKind } from './kind-definition.ts';

const schema = objectField('Text', 'A few words.', {
  text: textField(
    'Text',
    'What the scanner reads. In a STATIC code there is room for about 2,900 bytes.',
    5000,
  ),
});

export const textKind = defineKind({
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
