import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCopy } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useState } from 'react';
import { DIAGNOSIS } from '../../../../domain/diagnosis.ts';
import { phonesTexts as texts } from '../../../../texts/admin/diagnosis.ts';
import { dayOf } from '../../../../texts/admin/times.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { copyText } from '../../components/copy-text.tsx';
import { messageOf } from '../../failure.ts';
import { isThisMachine } from '../../site-address.ts';
import styles from './new-pass.module.css';

/** Wine on white in both themes: what every camera reads. */
const QR = { ink: '#4a1230', paper: '#ffffff', size: 232, margin: 3 } as const;

/** Asks whose phone it is, and shows the code that opens its trial: the one that is good for that name, or a new one. */
export function NewPass() {
  const [nome, setNome] = useState('');
  const making = useMutation({
    mutationFn: () => api.diagnosis.pass({ nome }),
    onError: (failed) => toastError(messageOf(failed, texts.createFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.diagnosis.key() }),
  });
  if (making.data !== undefined) return <Code {...making.data} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
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

type CodeProps = { pass: string; scadenza: string; public_url: string | null };

function Code({ pass, scadenza, public_url }: CodeProps) {
  // The pass is the address's fragment: no server and no log on the way sees it.
  const link = new URL('/diagnostica', public_url ?? location.origin);
  link.hash = pass;
  return (
    <Stack align="center">
      {isThisMachine(link) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {texts.onlyHere}
        </Alert>
      )}
      <Text ta="center">{texts.scan}</Text>
      <QRCodeSVG
        value={link.href}
        level="M"
        size={QR.size}
        marginSize={QR.margin}
        fgColor={QR.ink}
        bgColor={QR.paper}
        title={texts.qrLabel}
        className={styles.code}
      />
      <Text fw={600}>{texts.validUntil(dayOf(scadenza))}</Text>
      <TextInput
        w="100%"
        label={texts.linkLabel}
        value={link.href}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden />}
        onClick={() => void copyText(link.href, texts.copied)}
      >
        {texts.copyLink}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        {texts.rule}
      </Text>
    </Stack>
  );
}
