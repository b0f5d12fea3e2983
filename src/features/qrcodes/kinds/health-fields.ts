import { Type } from 'typebox';
import { day, group, line, list, oneOf } from './field-types.ts';

/** The code systems a clinical entry may be coded in. */
const CODE_SYSTEMS = ['SNOMED_CT', 'RXNORM', 'ICD_10', 'ATC'] as const;

/** How bad a reaction is, the worst last. */
export const SEVERITIES = ['MILD', 'MODERATE', 'SEVERE', 'LIFE_THREATENING'] as const;

/** What a word means to a machine: a code and the system it is taken from. */
function coding() {
  return group('Coding', 'The same as a code, for systems that exchange health data.', {
    system: oneOf(
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

/** What somebody does not tolerate. */
export function allergies() {
  const allergy = group('Allergy', 'One substance.', {
    name: line('Name', 'The substance, such as penicillin or peanuts.'),
    reaction: Type.Optional(line('Reaction', 'What happens, such as rash or anaphylaxis.')),
    severity: Type.Optional(oneOf('Severity', 'How bad the reaction is.', SEVERITIES)),
    coding: Type.Optional(coding()),
  });
  return list('Allergies', 'Allergies and intolerances, the worst first.', allergy, 30);
}

/** What somebody takes. */
export function medications() {
  const medication = group('Medication', 'One medicine.', {
    name: line('Name', 'Name of the medicine or its active ingredient.'),
    dose: Type.Optional(line('Dose', 'Amount with its unit (UCUM), such as 500 mg or 10 [iU].', 60)),
    frequency: Type.Optional(line('Frequency', 'How often, such as twice a day.', 60)),
    coding: Type.Optional(coding()),
  });
  return list('Medications', 'Medicines taken at present.', medication, 30);
}

/** What somebody suffers from. */
export function conditions() {
  const condition = group('Condition', 'One diagnosis.', {
    name: line('Name', 'The diagnosis, such as type 1 diabetes or epilepsy.'),
    since: Type.Optional(day('Since', 'When it was found.')),
    coding: Type.Optional(coding()),
  });
  return list('Conditions', 'Illnesses a helper must know about.', condition, 30);
}

/** What somebody is protected against. */
export function vaccinations() {
  const vaccination = group('Vaccination', 'One vaccination.', {
    name: line('Name', 'What it protects against, or the vaccine.'),
    givenOn: Type.Optional(day('Given on', 'When it was given.')),
    validUntil: Type.Optional(day('Valid until', 'Until when it protects.')),
    batch: Type.Optional(line('Batch', 'Batch (lot) number of the vaccine.', 40)),
  });
  return list('Vaccinations', 'Vaccinations, the latest first.', vaccination, 40);
}
