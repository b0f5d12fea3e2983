import { Type } from 'typebox';
import {
  createContactFieldSchema,
  createObjectFieldSchema,
  createPostalAddressFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
  createWeightKgFieldSchema,
} from './field-types.ts';
import { defineProfileQrCodeKind } from './profile-kind.ts';

const schema = createObjectFieldSchema('Luggage', 'A bag or another thing that travels.', {
  name: createSingleLineFieldSchema('Name', 'What it is, such as “Green backpack”.', 80),
  message: Type.Optional(createTextFieldSchema('Message', 'Message to the finder.', 500)),
  reward: Type.Optional(createSingleLineFieldSchema('Reward', 'What the finder gets, such as 50 EUR.')),
  brand: Type.Optional(createSingleLineFieldSchema('Brand', 'Brand and model.', 80)),
  color: Type.Optional(createSingleLineFieldSchema('Color', 'Color and marks.')),
  weightKg: Type.Optional(createWeightKgFieldSchema('Weight', 1000)),
  contents: Type.Optional(createTextFieldSchema('Contents', 'What is inside, for a claim.')),
  flight: Type.Optional(
    createSingleLineFieldSchema('Flight', 'Flight or train it travels on, such as LH 123.', 40),
  ),
  bagTag: Type.Optional(
    Type.String({
      title: 'Bag tag number',
      description: "The airline's baggage tag: 10 digits (IATA Resolution 740).",
      pattern: '^[0-9]{10}$',
    }),
  ),
  owner: Type.Optional(createContactFieldSchema('Owner', 'Whose it is.')),
  destination: Type.Optional(
    createPostalAddressFieldSchema('Destination', 'Where it should go now, such as a hotel.'),
  ),
  homeAddress: Type.Optional(createPostalAddressFieldSchema('Home address', 'Where it should go otherwise.')),
  notes: Type.Optional(
    createTextFieldSchema('Notes', "The owner's own notes: receipt, serial number, value."),
  ),
});

export const luggageQrCodeKind = defineProfileQrCodeKind({
  kind: 'LUGGAGE',
  label: 'Luggage',
  description:
    'For a bag, keys or a bicycle: the finder can return it without learning where the owner lives.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    message: 'PUBLIC',
    reward: 'PUBLIC',
    owner: 'PIN_OR_PRIVATE',
    brand: 'PUBLIC',
    color: 'PUBLIC',
    weightKg: 'PUBLIC',
    destination: 'PIN_OR_PRIVATE',
    flight: 'PIN_OR_PRIVATE',
    bagTag: 'PIN_OR_PRIVATE',
    homeAddress: 'PIN_OR_PRIVATE',
    contents: 'PRIVATE',
    notes: 'PRIVATE',
    pictures: 'PUBLIC',
  },
  urgent: ['message', 'reward'],
  example: {
    name: 'Green backpack',
    message: 'Thank you for finding me! Please send a message, we will arrange the rest.',
    reward: '50 EUR',
    brand: 'Deuter Aviant 70',
    color: 'Green with a yellow ribbon',
    weightKg: 17.4,
    contents: 'Clothes, camera, a blue notebook',
    bagTag: '0220123456',
    owner: { name: 'Lena Vogt', phone: '+41 79 123 45 67', email: 'lena@example.com' },
    destination: { street: '1-1 Yoyogi', city: 'Tokyo', country: 'JP' },
  },
});
