import { Type } from 'typebox';
import { dateField, enumField, lineField, listField, objectField } from './field-types.ts';

const CODE_SYSTEMS = ['SNOMED_CT', 'RXNORM', 'ICD_10', 'ATC'] as const;

/** Ascending. */
export const REACTION_SEVERITIES = ['MILD', 'MODERATE', 'SEVERE', 'LIFE_THREATENING'] as const;

function codingField() {
  return objectField('Coding', 'The same as a code, for systems that exchange health data.', {
    system: enumField(
      'System',
      'SNOMED CT (findings, substances), RxNorm (medicines in the US), ICD-10 (diagnoses), ATC (medicines by the WHO).',
      CODE_SYSTEMS,
    ),
    code: Type.String({
      title: 'Code',
      description: 'The code within that system, such as 91936005 (SNOMED CT: allergy to penicillin).',
      pattern: '^[0-9A-Za-z.]{1,18}$',
    }),
  });
}

export function allergiesField() {
  const allergy = objectField('Allergy', 'One substance.', {
    name: lineField('Name', 'The substance, such as penicillin or peanuts.'),
    reaction: Type.Optional(lineField('Reaction', 'What happens, such as rash or anaphylaxis.')),
    severity: Type.Optional(enumField('Severity', 'How bad the reaction is.', REACTION_SEVERITIES)),
    coding: Type.Optional(codingField()),
  });
  return listField('Allergies', 'Allergies and intolerances, the worst first.', allergy, 30);
}

export function medicationsField() {
  const medication = objectField('Medication', 'One medicine.', {
    name: lineField('Name', 'Name of the medicine or its active ingredient.'),
    dose: Type.Optional(lineField('Dose', 'Amount with its unit (UCUM), such as 500 mg or 10 [iU].', 60)),
    frequency: Type.Optional(lineField('Frequency', 'How often, such as twice a day.', 60)),
    coding: Type.Optional(codingField()),
  });
  return listField('Medications', 'Medicines taken at present.', medication, 30);
}

export function conditionsField() {
  const condition = objectField('Condition', 'One diagnosis.', {
    name: lineField('Name', 'The diagnosis, such as type 1 diabetes or epilepsy.'),
    since: Type.Optional(dateField('Since', 'When it was found.')),
    coding: Type.Optional(codingField()),
  });
  return listField('Conditions', 'Illnesses a helper must know about.', condition, 30);
}

export function vaccinationsField() {
  const vaccination = objectField('Vaccination', 'One vaccination.', {
    name: lineField('Name', 'What it protects against, or the vaccine.'),
    givenOn: Type.Optional(dateField('Given on', 'When it was given.')),
    validUntil: Type.Optional(dateField('Valid until', 'Until when it protects.')),
    batch: Type.Optional(lineField('Batch', 'Batch (lot) number of the vaccine.', 40)),
  });
  return listField('Vaccinations', 'Vaccinations, the latest first.', vaccination, 40);
}
