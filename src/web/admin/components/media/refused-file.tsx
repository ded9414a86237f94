import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { uploadTexts as texts } from '../../../../texts/admin/uploads.ts';
import { IconAlertTriangle } from '../../../ui/icons/icons.tsx';

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
