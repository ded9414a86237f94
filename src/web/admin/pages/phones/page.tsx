import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { IconQrcode } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { diagnosisAdminTexts as texts } from '../../../../texts/admin/diagnosis.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { dayOf } from '../../../../texts/admin/times.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { messageOf } from '../../failure.ts';
import { PhoneCard, type TestedPhone } from './phone-card.tsx';
import { PhonePass } from './phone-pass.tsx';

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
  const close = useMutation({
    mutationFn: (id: number) => api.diagnosis.close({ id: String(id) }),
    onSuccess: () => toastSuccess(texts.closed),
    onError: (error) => toastError(messageOf(error, texts.closeFailed)),
    onSettled: (_done, _failed, _id, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.diagnosis.key() }),
  });
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
