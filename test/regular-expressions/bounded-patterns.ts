/**
 * Regular expressions that take more than linear time in the worst case, with the longest text that each one sees.
 * `maxCharacters` squared is the bound of its steps.
 */
export const BOUNDED_PATTERNS: readonly {
  file: string;
  pattern: string;
  maxCharacters: number;
  bound: string;
}[] = [
  {
    file: 'src/config-problems.ts',
    pattern: '\\/+$',
    maxCharacters: 4_096,
    bound: 'a URL of the configuration',
  },
  {
    file: 'src/features/codes/kinds/location.ts',
    pattern: '\\.?0+$',
    maxCharacters: 12,
    bound: 'a coordinate with seven decimals',
  },
  {
    file: 'src/features/scans/agent-class.rules.ts',
    pattern:
      '\\b\\w*(?:qr|code|huawei)[\\w -]*scan\\w*|\\bsogou(?:mse|mobilebrowser|search)\\b|\\balipaydefined\\([^)]*\\)|\\b(?:google(?:maps|lens| ?earth(?: pro)?)|javafx|inspectbrowser)\\b',
    maxCharacters: 512,
    bound: 'truncateUserAgent',
  },
  {
    file: 'src/features/scans/reports/report-charts.ts',
    pattern: '^[\\s\\S]*?<svg[^>]*>',
    maxCharacters: 0,
    bound: 'an image that the service draws',
  },
  {
    file: 'src/features/scans/reports/report-charts.ts',
    pattern: '<style[\\s\\S]*?<\\/style>',
    maxCharacters: 0,
    bound: 'an image that the service draws',
  },
  {
    file: 'src/providers/geocoding/nominatim-geocoder.ts',
    pattern: '\\/+$',
    maxCharacters: 4_096,
    bound: 'a URL of the configuration',
  },
  {
    file: 'src/providers/mail/mail-message.ts',
    pattern: '^(?:"((?:[^\\p{C}"\\\\]|\\\\\\P{C})*)"|([^\\p{C}<>"@,;]*?))\\s*<([^<>]+)>$',
    maxCharacters: 4_096,
    bound: 'MAIL_FROM of the configuration',
  },
  {
    file: 'src/shared/base-path.ts',
    pattern: '\\/+$',
    maxCharacters: 4_096,
    bound: 'a path of PUBLIC_BASE_URL',
  },
  {
    file: 'src/shared/crypto/signing-key.ts',
    pattern: '-----BEGIN PUBLIC KEY-----[\\s\\S]+?-----END PUBLIC KEY-----',
    maxCharacters: 0,
    bound: 'a key file of the operator',
  },
];

/** Patterns that are put together at run time, of linear ones: constants `…_PATTERN`, or words alone. */
export const CONSTRUCTED_PATTERNS: readonly string[] = [
  "src/features/conversations/message-text.rules.ts: new RegExp(VISIBLE_CHARACTER_PATTERN, 'u')",
  "src/features/documents/file-name.rules.ts: new RegExp(VISIBLE_CHARACTER_PATTERN, 'u')",
  "src/features/finder/message-fields.ts: new RegExp(NON_BLANK_LINE_PATTERN, 'u')",
  "src/features/finder/position-text.rules.ts: new RegExp(pattern, 'i')",
  "src/features/finder/position-text.rules.ts: new RegExp(VIEW_CENTER_PATTERN, 'i')",
  "src/features/finder/position-text.rules.ts: new RegExp(PLAIN_COORDINATES_PATTERN, 'i')",
  "src/features/finder/position-text.rules.ts: new RegExp(COORDINATES_OR_LINK_PATTERN, 'i')",
  "src/features/identity/sign-in/link.rules.ts: new RegExp(NON_BLANK_LINE_PATTERN, 'u')",
  "src/features/scans/agent-class.rules.ts: new RegExp(parts.join('|'), 'i')",
  'src/shared/api-key-token.ts: new RegExp(API_KEY_TOKEN_PATTERN)',
  'src/shared/ids.ts: new RegExp(ID_PATTERN)',
  'src/shared/partial-date.ts: new RegExp(PARTIAL_DATE_PATTERN)',
];

/** Formats of Ajv that schemas of this service use. */
export const SCHEMA_FORMATS = ['date', 'date-time', 'uri', 'uuid'] as const;
