import { Badge, Button, Group, List, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { DIAGNOSIS, type Verdict } from '../../../../domain/diagnosis.ts';
import { diagnosisAdminTexts as texts } from '../../../../texts/admin/diagnosis.ts';
import { dayOf, momentOf } from '../../../../texts/admin/formats.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { faultTexts, resultText, untestedText, verdictText } from '../../../../texts/diagnosis.ts';
import { deviceOf } from '../../../device.ts';
import { IconCopy, IconQrcode, IconTrash } from '../../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import { copyText } from '../../components/copy-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { PassCode, passLink } from '../../components/pass-code.tsx';
import { messageOf } from '../../failure.ts';

const { title, description } = adminPageTexts['/admin/telefoni'];

/** `/admin/telefoni`: the tested phones, and QR codes to test others. */
export function Page() {
  const list = useQuery(queries.diagnosis.list.queryOptions());
  return (
    <PageFrame
      title={title}
      description={description}
      actions={
        <Button leftSection={<IconQrcode size={18} aria-hidden />} onClick={openPass}>
          {texts.make}
        </Button>
      }
    >
      <Text maw="40rem">{texts.lead}</Text>
      <Loaded query={list} loadFailed={texts.loadFailed} shape="cards" count={2}>
        {({ phones, passes }) => (
          <>
            <Phones phones={phones} />
            <Passes passes={passes} />
          </>
        )}
      </Loaded>
    </PageFrame>
  );
}

const openPass = () => openModal({ title: texts.make, children: <PhonePass /> });

function Phones({ phones }: { phones: readonly TestedPhone[] }) {
  if (phones.length === 0) return <EmptyState drawing="phone" title={texts.none} hint={texts.noneHint} />;
  return (
    <Stack component="section" gap="sm" aria-label={texts.phones}>
      {phones.map((phone) => (
        <PhoneCard key={phone.id} phone={phone} />
      ))}
    </Stack>
  );
}

type Pass = { id: number; nome: string; scadenza: string };

/** The codes that still open the phone test, with a button to close each. */
function Passes({ passes }: { passes: readonly Pass[] }) {
  const close = useDiagnosisCall(
    (id: number) => api.diagnosis.close({ id: String(id) }),
    texts.closeFailed,
    texts.closed,
  );
  if (passes.length === 0) return null;
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h4">
        {texts.open}
      </Title>
      {passes.map(({ id, nome, scadenza }) => (
        <Group key={id} justify="space-between">
          <Text>
            {nome === '' ? texts.unnamed : nome} · {texts.validUntil(dayOf(scadenza))}
          </Text>
          <Button
            variant="default"
            loading={close.isPending && close.variables === id}
            aria-label={texts.closeLabel(nome === '' ? texts.unnamed : nome)}
            onClick={() => close.mutate(id)}
          >
            {texts.close}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

/** A call that changes the list of codes or phones. */
function useDiagnosisCall<In, Out>(call: (input: In) => Promise<Out>, failed: string, done?: string) {
  return useMutation({
    mutationFn: call,
    onSuccess: () => {
      if (done !== undefined) toastSuccess(done);
    },
    onError: (error) => toastError(messageOf(error, failed)),
    onSettled: (_done, _failed, _input, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.diagnosis.key() }),
  });
}

type TestedPhone = Awaited<ReturnType<typeof api.diagnosis.list>>['phones'][number];

const COLORS: Record<Verdict, string> = { good: 'green', beware: 'yellow', bad: 'red', unknown: 'gray' };

/** A tested phone: its verdict, and what to do. */
function PhoneCard({ phone }: { phone: TestedPhone }) {
  const nome = phone.nome === '' ? texts.unnamed : phone.nome;
  const device = deviceOf(phone.user_agent).words;
  const missingTests = untestedText(phone);
  const copy = () => void copyText(resultText(device, phone, phone.findings, nome), texts.resultCopied);
  return (
    <Paper component="article" withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h4">
            {verdictText(phone.verdict, nome)}
          </Title>
          <Badge size="lg" variant="light" color={COLORS[phone.verdict]} tt="none">
            {texts.verdicts[phone.verdict]}
          </Badge>
        </Group>
        <Text c="dimmed" size="sm">
          {texts.at(device, momentOf(phone.at))}
        </Text>
        {phone.faults.length > 0 && (
          <List spacing="xs">
            {phone.faults.map((id) => (
              <List.Item key={id}>{faultTexts[id]}</List.Item>
            ))}
          </List>
        )}
        {missingTests !== '' && (
          <Text c="dimmed" size="sm">
            {missingTests}
          </Text>
        )}
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconCopy size={18} aria-hidden />}
            aria-label={texts.copyLabel(nome)}
            onClick={copy}
          >
            {texts.copy}
          </Button>
          <Remove id={phone.id} nome={nome} />
        </Group>
      </Stack>
    </Paper>
  );
}

function Remove({ id, nome }: { id: string; nome: string }) {
  const { mutate, isPending } = useDiagnosisCall(
    () => api.diagnosis.remove({ id }),
    texts.removeFailed,
    texts.removed,
  );
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={18} aria-hidden />}
      loading={isPending}
      aria-label={texts.removeLabel(nome)}
      onClick={() =>
        confirmAction({
          question: texts.removeQuestion,
          confirmLabel: texts.remove,
          onConfirm: () => mutate(undefined),
        })
      }
    >
      {texts.remove}
    </Button>
  );
}

/** Asks for the phone's name and shows a code that opens its test. Reuses a valid code of that name. */
function PhonePass() {
  const [nome, setNome] = useState('');
  const making = useDiagnosisCall(() => api.diagnosis.pass({ nome }), texts.createFailed);
  if (making.data !== undefined)
    return (
      <PassCode
        link={passLink('/diagnostica', making.data)}
        texts={texts}
        until={texts.validUntil(dayOf(making.data.scadenza))}
        rule={texts.rule}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate(undefined);
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <TextInput
        label={texts.nome}
        description={texts.nomeHint}
        placeholder={texts.nomePlaceholder}
        maxLength={DIAGNOSIS.nameSigns}
        value={nome}
        onChange={({ currentTarget }) => setNome(currentTarget.value)}
        data-autofocus
      />
      <Button type="submit" loading={making.isPending}>
        {texts.create}
      </Button>
    </Stack>
  );
}
