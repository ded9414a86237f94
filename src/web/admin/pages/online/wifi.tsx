import { List, Stack, Text, Title } from '@mantine/core';
import type { SiteAddress } from '../../../../contract/admin/address.ts';
import { onlineTexts } from '../../../../texts/admin/online.ts';
import { QrCode } from '../../components/qr-code.tsx';
import { Address, Command } from './command.tsx';
import { commandsOf } from './commands.ts';

const { wifi: texts, qr } = onlineTexts;

/** This machine's address for a phone beside it, and what doesn't work there. */
export function Wifi({ site }: { site: SiteAddress }) {
  return (
    <Stack gap="lg">
      {site.open_to_network ? (
        <Addresses addresses={addressesOf(site)} />
      ) : (
        <>
          <Text>{texts.shut}</Text>
          <Command>{commandsOf(site, null).wifi.start}</Command>
        </>
      )}
      <Stack gap="xs">
        <Title order={3} size="h4">
          {texts.withoutHttps}
        </Title>
        <Text>{texts.works}</Text>
        <List>
          {texts.lacks.map((lack) => (
            <List.Item key={lack}>{lack}</List.Item>
          ))}
        </List>
      </Stack>
    </Stack>
  );
}

function Addresses({ addresses: [first, ...others] }: { addresses: readonly string[] }) {
  if (first === undefined) return <Text>{texts.noHosts}</Text>;
  return (
    <Stack gap="md" align="flex-start">
      <Text>{texts.scan}</Text>
      <QrCode value={first} title={qr(first)} />
      <Address>{first}</Address>
      {others.length > 0 && <Text>{`${texts.others} ${others.join(', ')}`}</Text>}
      <Text c="dimmed">{texts.firewall}</Text>
    </Stack>
  );
}

/** The address that was set, if it is one of this network; else each of this machine's, at the port this page came by where it came plainly. */
function addressesOf({ reach, public_url, hosts, port }: SiteAddress): string[] {
  if (reach === 'network' && public_url !== null) return [public_url];
  const here = location.protocol === 'http:' ? location.port : '';
  return hosts.map((host) => new URL(`http://${host}:${here === '' ? port : here}`).origin);
}
