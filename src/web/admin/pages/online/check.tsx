import { Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconWorldSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AddressCheck } from '../../../../contract/admin/site-address.ts';
import { reachOf } from '../../../../domain/reach.ts';
import {
  type CheckFinding,
  findingsOf,
  onlineCheckTexts as texts,
} from '../../../../texts/admin/online-check.ts';
import { siteAddressTexts } from '../../../../texts/admin/site-address.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';
import styles from './online.module.css';

/** Timeout in ms. A check takes ten seconds at most, and another one may be running first. */
const TIMEOUT_MS = 30_000;

/** Checks from outside where an address leads. @param suggested the address checked by default */
export function Check({ suggested }: { suggested: string }) {
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const { mutate, data, isPending } = useMutation({
    mutationFn: (address: string) => api.address.check({ address }, { context: { timeoutMs: TIMEOUT_MS } }),
    onError: (error) => toastError(messageOf(error, texts.failed)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = originOf(typed ?? suggested);
    setWrong(address === null);
    if (address !== null) mutate(address);
  };
  return (
    <Card title={texts.title} hint={texts.hint}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" align="flex-start">
          <TextInput
            label={texts.label}
            error={wrong ? texts.invalid : null}
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            w="100%"
            maw="28rem"
            value={typed ?? suggested}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <BusyButton
            type="submit"
            working={isPending}
            leftSection={<IconWorldSearch size={18} aria-hidden />}
          >
            {data === undefined ? texts.check : texts.again}
          </BusyButton>
        </Stack>
      </form>
      <div role="status">
        {isPending && <Text c="dimmed">{texts.checking}</Text>}
        {data !== undefined && !isPending && <Findings check={data} />}
      </div>
    </Card>
  );
}

function Findings({ check }: { check: AddressCheck }) {
  const { address } = check;
  const { hostname } = new URL(address);
  return (
    <Stack gap="md" align="flex-start">
      <Text fw={600}>{address}</Text>
      <ul className={styles.findings}>
        {findingsOf(check, hostname).map((finding) => (
          <FindingItem key={finding.text} {...finding} />
        ))}
      </ul>
      {reachOf(hostname) === 'public' && (
        <>
          <Text>{texts.phone}</Text>
          <QrCode value={address} title={siteAddressTexts.qr(address)} />
        </>
      )}
    </Stack>
  );
}

const ICONS = { good: IconCircleCheck, note: IconAlertTriangle, bad: IconCircleX } as const;

function FindingItem({ mark, text }: CheckFinding) {
  const Icon = ICONS[mark];
  return (
    <li className={styles.finding}>
      <Icon size={22} className={styles[mark]} role="img" aria-label={texts.marks[mark]} />
      <span>{text}</span>
    </li>
  );
}

/** Returns the origin of a typed address, with https by default; null if it is invalid. */
function originOf(typed: string): string | null {
  const text = typed.trim();
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (text === '' || !URL.canParse(address)) return null;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}
