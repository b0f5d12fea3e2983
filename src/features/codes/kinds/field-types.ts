import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { NON_BLANK_LINE_PATTERN, NON_BLANK_TEXT_PATTERN } from '../../../shared/common.schemas.ts';

/** 3 to 15 digits (E.164 maximum) with usual separators. */
const PHONE_PATTERN = '^(?=(?:[^0-9]*[0-9]){3,15}[^0-9]*$)\\+?[0-9 ()./-]+$';

/** No user information (RFC 3986, 3.2.1), blanks, backslashes, control or bidirectional characters. */
const WEB_URL_PATTERN =
  '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]+(?:[/?#][^\\s\\\\\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*)?$';

export function lineField(title: string, description: string, max = 120) {
  return Type.String({ title, description, minLength: 1, maxLength: max, pattern: NON_BLANK_LINE_PATTERN });
}

export function textField(title: string, description: string, max = 2000) {
  return Type.String({ title, description, minLength: 1, maxLength: max, pattern: NON_BLANK_TEXT_PATTERN });
}

export function phoneField(
  title = 'Phone',
  description = 'Phone number, best with the country code: +49 170 1234567.',
) {
  return Type.String({ title, description, minLength: 3, maxLength: 32, pattern: PHONE_PATTERN });
}

/** 254 characters: RFC 5321. */
export function emailField(title = 'E-mail', description = 'E-mail address.') {
  return Type.String({ title, description, maxLength: 254, format: 'email' });
}

/** `findWebUrlErrors` checks what a pattern cannot. */
export function webUrlField(title: string, description: string) {
  return Type.String({ title, description, minLength: 8, maxLength: 2000, pattern: WEB_URL_PATTERN });
}

export function dateField(title: string, description: string) {
  return Type.String({ title, description: `${description} ISO 8601, YYYY-MM-DD.`, format: 'date' });
}

export function enumField<const Values extends readonly string[]>(
  title: string,
  description: string,
  values: Values,
) {
  return Type.Unsafe<Values[number]>({ type: 'string', title, description, enum: values });
}

export function booleanField(title: string, description: string) {
  return Type.Boolean({ title, description });
}

export function numberField(title: string, description: string, minimum: number, maximum: number) {
  return Type.Number({ title, description, minimum, maximum });
}

export function listField<Item extends TSchema>(title: string, description: string, item: Item, max = 20) {
  return Type.Array(item, { title, description, minItems: 1, maxItems: max });
}

/** Rejects unknown keys, so that a typing error neither publishes nor loses data. */
export function objectField<Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { title, description, additionalProperties: false });
}

export function countryField(title = 'Country', description = 'Country.') {
  return Type.String({
    title,
    description: `${description} ISO 3166-1 alpha-2, such as DE.`,
    pattern: '^[A-Z]{2}$',
  });
}

export function languageTagField() {
  return Type.String({
    title: 'Language',
    description: 'One language, BCP 47.',
    maxLength: 35,
    pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
  });
}

export function postalAddressField(title: string, description: string) {
  return objectField(title, description, {
    street: Type.Optional(lineField('Street', 'Street and house number.')),
    postalCode: Type.Optional(lineField('Postal code', 'Postal code as written in the country.', 16)),
    city: Type.Optional(lineField('City', 'City, town or village.')),
    region: Type.Optional(lineField('Region', 'State, province or region.')),
    country: Type.Optional(countryField()),
  });
}

export function contactField(title: string, description: string) {
  return objectField(title, description, {
    name: lineField('Name', 'Name of the person or organization.'),
    relation: Type.Optional(
      lineField('Relation', 'Who this is to the owner, such as daughter or neighbor.', 60),
    ),
    phone: Type.Optional(phoneField()),
    email: Type.Optional(emailField()),
  });
}

export function emergencyContactsField() {
  return listField(
    'Emergency contacts',
    'Whom to call, the first one first.',
    contactField('Emergency contact', 'Person to call in an emergency.'),
    5,
  );
}

export function weightKgField(title: string, maximum: number) {
  return numberField(`${title} (kg)`, 'Weight in kilograms.', 0.001, maximum);
}

export function insuranceField(title: string) {
  return objectField(title, 'Who insures, and under which number.', {
    company: lineField('Company', 'Name of the insurer.'),
    policyNumber: Type.Optional(
      lineField('Policy number', 'Number of the policy or the insured person.', 60),
    ),
    phone: Type.Optional(phoneField('Phone', "The insurer's emergency number.")),
  });
}
