import { expect, test } from 'vitest';
import { type Reach, reachOf } from '../../src/domain/reach.ts';

/** Host names in the form of `URL`; addresses also bare. */
const REACHES: Record<Reach, string> = {
  machine:
    'localhost LOCALHOST localhost. sorpresa.localhost 127.0.0.1 127.1.2.3 0.0.0.0 [::1] ::1 [::] [::ffff:7f00:1] ::ffff:127.0.0.1',
  network:
    '192.168.1.20 10.0.0.7 172.16.3.4 172.31.255.255 169.254.1.1 100.64.0.1 100.127.255.255 [fd12:3456::1] fc00::1 [fe80::1] fe80::1%eth0 [::ffff:c0a8:114] ::ffff:192.168.1.20 raspberrypi.local raspberrypi.local. nas.lan nas.home.arpa nas.internal nas',
  public:
    '172.15.0.1 172.32.3.4 100.63.0.1 100.128.0.1 93.184.216.34 [2001:db8::1] 2001:db8::fe80 fd.example 10.example localhost.example local.example sorpresa.example sorpresa.tail1234.ts.net',
};

test.each(Object.entries(REACHES))('has the reach %s: %s', (reach, names) => {
  for (const name of names.split(' ')) expect(reachOf(name), name).toBe(reach);
});

test('accepts the host names that URL produces', () => {
  expect(reachOf(new URL('http://[::ffff:192.168.1.20]:3000').hostname)).toBe('network');
  expect(reachOf(new URL('http://0x7f.1').hostname)).toBe('machine');
});
