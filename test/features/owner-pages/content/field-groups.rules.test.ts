import { QR_CODE_KINDS } from '../../../../src/features/codes/index.ts';
import { groupFields } from '../../../../src/features/owner-pages/content/field-groups.rules.ts';
import { t } from '../../../tap.ts';

t.test('each field of each kind is in one group, and what is required comes first', async (t) => {
  for (const { kind, schema } of QR_CODE_KINDS) {
    const fields = Object.keys(schema.properties);
    const groups = groupFields(kind, fields);
    t.same(groups.flatMap((group) => group.fields).sort(), fields.toSorted(), kind);
    t.equal(groups[0]?.name, 'main', kind);
    for (const name of schema.required ?? []) t.ok(groups[0]?.fields.includes(name), `${kind}: ${name}`);
  }
});
