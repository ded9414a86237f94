import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { uploadTexts as texts } from '../../../../texts/admin/uploads.ts';

type RefusedFileProps = { nome: string; messaggio: string; children?: ReactNode };

/** A refused file's name and the reason. */
export function RefusedFile({ nome, messaggio, children }: RefusedFileProps) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={texts.refused(nome)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{messaggio}</Text>
        {children}
      </Stack>
    </Alert>
  );
}
