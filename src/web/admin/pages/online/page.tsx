import { Alert, Anchor, Button, List, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AddressCheck, SharingState } from '../../../../contract/admin/site-address.ts';
import { reachOf } from '../../../../domain/reach.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import {
  type CheckFinding,
  onlineCheckTexts as checkTexts,
  findingsOf,
  siteAddressTexts as texts,
} from '../../../../texts/admin/site-address.ts';
import {
  IconAlertTriangle,
  IconArrowLeft,
  IconCircleCheck,
  IconCircleX,
  IconWorldCheck,
  IconWorldSearch,
} from '../../../ui/icons/icons.tsx';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NotPublicNotice } from '../../components/not-online.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';
import { opensElsewhere, useSiteAddress } from '../../site-address.ts';
import styles from './online.module.css';
import { Sharing } from './sharing.tsx';

/** Poll intervals in ms: while the state changes, and otherwise. */
const CHANGING_MS = 1_000;
const STABLE_MS = 10_000;

/** Timeout in ms. A check takes ten seconds at most, and another one may be running first. */
const CHECK_TIMEOUT_MS = 30_000;

/** Reachability of the surprise, and the button that shares it. */
export function Page() {
  const [params] = useSearchParams();
  const query = useQuery(
    queries.sharing.read.queryOptions({
      refetchInterval: ({ state: { data } }) =>
        data?.state === 'starting' || data?.state === 'reaching' ? CHANGING_MS : STABLE_MS,
    }),
  );
  return (
    <PageFrame {...adminPageTexts['/admin/rete']}>
      {params.has('server') ? (
        <Helper />
      ) : (
        <Loaded query={query} loadFailed={texts.loadFailed} shape="cards">
          {(sharing) => (
            <Stack gap="lg">
              {sharing.available ? <Sharing sharing={sharing} /> : <OwnAddress />}
              <ToHelper sharing={sharing} />
            </Stack>
          )}
        </Loaded>
      )}
    </PageFrame>
  );
}

/** State of a site with its own address, which needs no sharing. */
function OwnAddress() {
  const address = useSiteAddress();
  if (!opensElsewhere(address) || address.protocol !== 'https:') return <NotPublicNotice />;
  return (
    <>
      <Alert role="note" color="green" icon={<IconWorldCheck aria-hidden />}>
        {texts.public(address.origin)}
      </Alert>
      <Check suggested={address.origin} />
    </>
  );
}

function ToHelper({ sharing: { state } }: { sharing: SharingState }) {
  if (state !== 'off' && state !== 'trouble') return null;
  return (
    <Anchor component={Link} to={{ search: '?server' }} underline="always" py="sm">
      {texts.helper.lead}
    </Anchor>
  );
}

/** Instructions for an own server or domain name, with a check of the address. */
function Helper() {
  return (
    <Stack gap="lg">
      <Button
        component={Link}
        to={{ search: '' }}
        variant="default"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
      >
        {texts.helper.back}
      </Button>
      <Card title={texts.helper.title} hint={texts.helper.hint}>
        <List type="ordered" spacing="sm">
          {texts.helper.steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
      </Card>
      <Check suggested="" />
    </Stack>
  );
}

/** Checks from outside where an address leads. @param suggested the address checked by default */
function Check({ suggested }: { suggested: string }) {
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const { mutate, data, isPending } = useMutation({
    mutationFn: (address: string) =>
      api.address.check({ address }, { context: { timeoutMs: CHECK_TIMEOUT_MS } }),
    onError: (error) => toastError(messageOf(error, checkTexts.failed)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = originOf(typed ?? suggested);
    setWrong(address === null);
    if (address !== null) mutate(address);
  };
  return (
    <Card title={checkTexts.title} hint={checkTexts.hint}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" align="flex-start">
          <TextInput
            label={checkTexts.label}
            error={wrong ? checkTexts.invalid : null}
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
            {data === undefined ? checkTexts.check : checkTexts.again}
          </BusyButton>
        </Stack>
      </form>
      <div role="status">
        {isPending && <Text c="dimmed">{checkTexts.checking}</Text>}
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
          <Text>{checkTexts.phone}</Text>
          <QrCode value={address} title={texts.qr(address)} />
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
      <Icon size={22} className={styles[mark]} role="img" aria-label={checkTexts.marks[mark]} />
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
