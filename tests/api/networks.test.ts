import { describe, expect, test } from 'vitest';
import { networkOf, networksOf } from '../../src/server/http/network.ts';

describe('one address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['::ffff:10.20.255.254', '10.20.255.254'],
    ['1::ffff:192.0.2.1', '1:0:0:0::/64'],
    ['::1:ffff:192.0.2.1', '0:0:0:0::/64'],
    ['::fffe:192.0.2.1', '0:0:0:0::/64'],
    ['1::2:3:4:5:6', '1:0:0:2::/64'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::7:1:2:3:4', '2001:db8:0:7::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

test('an IPv6 address lies in a 48 and a 64; an IPv4 one in itself', () => {
  expect(networksOf('2001:db8:1:abff::1')).toEqual([
    { reach: 'prefix48', name: '2001:db8:1::/48' },
    { reach: 'network', name: '2001:db8:1:abff::/64' },
  ]);
  expect(networksOf('::ffff:192.0.2.1')).toEqual([{ reach: 'network', name: '192.0.2.1' }]);
});
