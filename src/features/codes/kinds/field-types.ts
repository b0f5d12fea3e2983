import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { NON_BLANK_LINE_PATTERN, NON_BLANK_TEXT_PATTERN } from '../../../shared/common.schemas.ts';
import { PARTIAL_DATE_PATTERN } from '../../../shared/partial-date.ts';
import { MAX_PHONE_CHARACTERS } from '../../../shared/phone.ts';

/** No user information (RFC 3986, 3.2.1), blanks, backslashes, control or bidirectional characters. */
const WEB_URL_PATTERN =
  '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]+(?:[/?#][^\\s\\\\\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*)?$';

export function createSingleLineFieldSchema(title: string, description: string, max = 120) {
  return Type.String({ title, description, minLength: 1, maxLength: max, pattern: NON_BLANK_LINE_PATTERN });
}

export function createTextFieldSchema(title: string, description: string, max = 2000) {
  return Type.String({ title, description, minLength: 1, maxLength: max, pattern: NON_BLANK_TEXT_PATTERN });
}

export function createPhoneFieldSchema(
  title = 'Phone',
  description = 'Phone number, best with the country code: +49 170 1234567.',
) {
  return Type.String({ title, description, minLength: 3, maxLength: MAX_PHONE_CHARACTERS, format: 'phone' });
}

/** 254 characters: RFC 5321. */
export function createEmailFieldSchema(title = 'Email', description = 'Email address.') {
  return Type.String({ title, description, maxLength: 254, format: 'email' });
}

/** `findWebUrlErrors` checks what a pattern cannot. */
export function createWebUrlFieldSchema(title: string, description: string) {
  return Type.String({ title, description, minLength: 8, maxLength: 2000, pattern: WEB_URL_PATTERN });
}

export function createDateFieldSchema(title: string, description: string) {
  return Type.String({ title, description: `${description} ISO 8601, YYYY-MM-DD.`, format: 'date' });
}

/** Rendered as far as it is known. */
export function createPartialDateFieldSchema(title: string, description: string) {
  return Type.String({
    title,
    description: `${description} ISO 8601, as far as it is known: YYYY, YYYY-MM or YYYY-MM-DD.`,
    format: 'partial-date',
    pattern: PARTIAL_DATE_PATTERN,
    maxLength: 10,
  });
}

export function createEnumFieldSchema<const Values extends readonly string[]>(
  title: string,
  description: string,
  values: Values,
) {
  return Type.Unsafe<Values[number]>({ type: 'string', title, description, enum: values });
}

export function createBooleanFieldSchema(title: string, description: string) {
  return Type.Boolean({ title, description });
}

export function createNumberFieldSchema(
  title: string,
  description: string,
  minimum: number,
  maximum: number,
) {
  return Type.Number({ title, description, minimum, maximum });
}

export function createListFieldSchema<Item extends TSchema>(
  title: string,
  description: string,
  item: Item,
  max = 20,
) {
  return Type.Array(item, { title, description, minItems: 1, maxItems: max });
}

/** Rejects unknown keys, so that a typing error neither publishes nor loses data. */
export function createObjectFieldSchema<Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { title, description, additionalProperties: false });
}

export function createCountryFieldSchema(title = 'Country', description = 'Country.') {
  return Type.String({
    title,
    description: `${description} ISO 3166-1 alpha-2, such as DE.`,
    pattern: '^[A-Z]{2}$',
  });
}

export function createLanguageTagFieldSchema() {
  return Type.String({
    title: 'Language',
    description: 'One language, BCP 47.',
    maxLength: 35,
    pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
  });
}

export function createPostalAddressFieldSchema(title: string, description: string) {
  return createObjectFieldSchema(title, description, {
    street: Type.Optional(createSingleLineFieldSchema('Street', 'Street and house number.')),
    postalCode: Type.Optional(
      createSingleLineFieldSchema('Postal code', 'Postal code as written in the country.', 16),
    ),
    city: Type.Optional(createSingleLineFieldSchema('City', 'City, town or village.')),
    region: Type.Optional(createSingleLineFieldSchema('Region', 'State, province or region.')),
    country: Type.Optional(createCountryFieldSchema()),
  });
}

export function createContactFieldSchema(title: string, description: string) {
  return createObjectFieldSchema(title, description, {
    name: createSingleLineFieldSchema('Name', 'Name of the person or organization.'),
    relation: Type.Optional(
      createSingleLineFieldSchema(
        'Relationship',
        'Who this is to the owner, such as daughter or neighbor.',
        60,
      ),
    ),
    phone: Type.Optional(createPhoneFieldSchema()),
    email: Type.Optional(createEmailFieldSchema()),
  });
}

export function createEmergencyContactsFieldSchema() {
  return createListFieldSchema(
    'Emergency contacts',
    'Who to call, most important first.',
    createContactFieldSchema('Emergency contact', 'Person to call in an emergency.'),
    5,
  );
}

export function createWeightKgFieldSchema(title: string, maximum: number) {
  return createNumberFieldSchema(`${title} (kg)`, 'Weight in kilograms.', 0.001, maximum);
}

export function createInsuranceFieldSchema(title: string) {
  return createObjectFieldSchema(title, 'Who insures, and under which number.', {
    company: createSingleLineFieldSchema('Company', 'Name of the insurer.'),
    policyNumber: Type.Optional(
      createSingleLineFieldSchema('Policy number', 'Number of the policy or the insured person.', 60),
    ),
    phone: Type.Optional(createPhoneFieldSchema('Phone', "The insurer's emergency number.")),
  });
}
