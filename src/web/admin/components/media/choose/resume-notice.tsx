import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { uploadTexts } from '../../../../../texts/admin/uploads.ts';
import type { Remembered } from '../uploads/remembered.ts';

type ResumeNoticeProps = { upload: Remembered; onDiscard: () => void };

/** An upload that an earlier page left unfinished: how to go on, or to give it up. */
export function ResumeNotice({ upload: { nome, sent, size }, onDiscard }: ResumeNoticeProps) {
  return (
    <Alert color="wine" icon={<IconHistory aria-hidden />}>
      <Stack gap="xs">
        <Text>
          {uploadTexts.resume(nome)} {uploadTexts.resumeProgress(sent / size)}
        </Text>
        <Group>
          <Button variant="default" onClick={onDiscard}>
            {uploadTexts.discard}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
