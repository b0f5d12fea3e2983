import { Type } from 'typebox';
import type { FieldError } from '../../../shared/errors.ts';
import { createFieldError } from './field-rules.ts';
import {
  createBooleanFieldSchema,
  createEnumFieldSchema,
  createObjectFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
} from './field-types.ts';
import { defineQrCodeKind } from './kind-definition.ts';

/** IEEE 802.11: at most 32 octets. */
const MAX_SSID_BYTES = 32;

const schema = createObjectFieldSchema('Wi-Fi', 'A wireless network that guests may join.', {
  ssid: createSingleLineFieldSchema('Network name', 'SSID, at most 32 bytes as UTF-8.', 32),
  password: Type.Optional(
    createSingleLineFieldSchema(
      'Password',
      'WPA: 8 to 63 characters, or 64 hexadecimal digits. WEP: 5 or 13 characters, or 10 or 26 hexadecimal digits.',
      64,
    ),
  ),
  security: Type.Optional(
    createEnumFieldSchema(
      'Security',
      'WPA includes WPA2 and WPA3. Default: WPA with a password, otherwise NONE.',
      ['WPA', 'WEP', 'NONE'],
    ),
  ),
  hidden: Type.Optional(
    createBooleanFieldSchema('Hidden network', 'Whether the network does not announce its name.'),
  ),
  notes: Type.Optional(createTextFieldSchema('Notes', 'House rules, where the signal is good.', 500)),
});

export const wifiQrCodeKind = defineQrCodeKind({
  kind: 'WIFI',
  label: 'Wi-Fi',
  description: 'For guests: join the network without typing.',
  sensitive: 'STATIC',
  schema,
  defaultVisibility: {
    ssid: 'PUBLIC',
    password: 'PIN_OR_PUBLIC',
    security: 'PUBLIC',
    hidden: 'PUBLIC',
    notes: 'PUBLIC',
  },
  example: {
    ssid: 'Café Morgen',
    password: 'two cups; no sugar',
    security: 'WPA',
    notes: 'Best near the window.',
  },
  check(data): FieldError[] {
    const { password, security } = data;
    const errors: FieldError[] = [];
    if (Buffer.byteLength(data.ssid) > MAX_SSID_BYTES)
      errors.push(createFieldError('data.ssid', 'TOO_LONG', 'Must have at most 32 bytes as UTF-8.'));
    if (password === undefined && security !== undefined && security !== 'NONE')
      errors.push(createFieldError('data.password', 'REQUIRED', 'Is required for a protected network.'));
    if (password === undefined) return errors;
    if (security === 'NONE')
      errors.push(createFieldError('data.password', 'NOT_ALLOWED', 'Must be omitted for an open network.'));
    else if (security === 'WEP' && !isWepKey(password))
      errors.push(
        createFieldError(
          'data.password',
          'BAD_FORMAT',
          'Must have 5 or 13 characters, or 10 or 26 hexadecimal digits (WEP).',
        ),
      );
    else if (security !== 'WEP' && [...password].length < 8)
      errors.push(createFieldError('data.password', 'TOO_SHORT', 'Must have at least 8 characters (WPA).'));
    else if (security !== 'WEP' && [...password].length === 64 && !/^[0-9A-Fa-f]{64}$/.test(password))
      errors.push(
        createFieldError('data.password', 'BAD_FORMAT', 'A WPA key of 64 characters must be hexadecimal.'),
      );
    return errors;
  },
  /** The `WIFI:` format of ZXing, supported by Android and iOS. */
  toStaticContent({ ssid, password, security, hidden }) {
    if (ssid === undefined) return null;
    const type = security ?? (password === undefined ? 'NONE' : 'WPA');
    const parts = [`T:${type === 'NONE' ? 'nopass' : type}`, `S:${escapeText(ssid)}`];
    if (password !== undefined) parts.push(`P:${escapeText(password)}`);
    if (hidden) parts.push('H:true');
    return `WIFI:${parts.join(';')};;`;
  },
});

function escapeText(value: string): string {
  return value.replace(/[\\;,:"]/g, '\\$&');
}

function isWepKey(password: string): boolean {
  return /^(?:.{5}|.{13}|[0-9A-Fa-f]{10}|[0-9A-Fa-f]{26})$/.test(password);
}
