import { findNamespacesProblem, runInNamespaces } from '../../bench/hosts/run-in-namespaces.ts';
import { t } from '../tap.ts';

const CUT_SECONDS = 3;

t.test(
  'two hosts lose nothing acknowledged when a link is cut and the replica is promoted',
  { skip: findNamespacesProblem() ?? false, timeout: 300_000 },
  async (t) => {
    let output = '';
    const code = await runInNamespaces(['core', String(CUT_SECONDS)], (text) => {
      output += text;
    });
    t.equal(code, 0, output);
    const rows = output
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, fault = '']) => /cut/.test(fault))
      .map(([, fault = '', , acknowledged, lost]) => ({
        fault,
        acknowledged: Number(acknowledged),
        lost: Number(lost),
      }));
    t.equal(rows.length, 2, output);
    for (const row of rows) {
      t.ok(row.acknowledged > 0, row.fault);
      t.equal(row.lost, 0, row.fault);
    }
  },
);
