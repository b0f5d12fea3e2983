import {
  getClientNetwork,
  getIpv6Site,
  getProviderNetwork,
  normalizeIpAddress,
  truncateIpAddress,
} from '../../src/shared/client-address.ts';
import { t } from '../tap.ts';

t.test('an address belongs to a client, a site and a provider', async (t) => {
  for (const [address, client, site, provider] of [
    ['203.0.113.9', '203.0.113.9', '203.0.113.0', '203.0.0.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', '2001:db8:1::', '2001:db8::'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::', '2001:db8:1::', '2001:db8::'],
    ['2001:db8::1', '2001:db8:0:0::', '2001:db8:0::', '2001:db8::'],
    ['::1', '0:0:0:0::', '0:0:0::', '0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::', 'fe80:0:0::', 'fe80:0::'],
    ['2001:db8:1:2::192.0.2.1', '2001:db8:1:2::', '2001:db8:1::', '2001:db8::'],
    ['', '', 'unknown', 'unknown'],
    ['no address', 'no address', 'unknown', 'unknown'],
  ] as const) {
    t.equal(getClientNetwork(address), client, address);
    t.equal(truncateIpAddress(address), site, address);
    t.equal(getProviderNetwork(address), provider, address);
  }
});

t.test('an IPv4-mapped address counts as IPv4 in every notation', async (t) => {
  for (const address of [
    '::ffff:203.0.113.9',
    '::FFFF:203.0.113.9',
    '::ffff:cb00:7109',
    '0:0:0:0:0:ffff:203.0.113.9',
    '0000:0000:0000:0000:0000:ffff:cb00:7109',
  ]) {
    t.equal(normalizeIpAddress(address), '203.0.113.9', address);
    t.equal(getClientNetwork(address), '203.0.113.9', address);
    t.equal(truncateIpAddress(address), '203.0.113.0', address);
    t.equal(getProviderNetwork(address), '203.0.0.0', address);
    t.equal(getIpv6Site(address), null, address);
  }
  t.equal(getIpv6Site('203.0.113.9'), null);
  t.equal(getIpv6Site('2001:db8:1:2::1'), '2001:db8:1::');
});
