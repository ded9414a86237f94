import { NativeSelect, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { soundTexts as texts } from '../../../../../texts/admin/sounds.ts';
import { WorkingButton } from '../../working-button.tsx';
import { RemakingBar, RemakingStopped } from '../remaking.tsx';
import { useSound } from './use-sound.ts';

/** Which of its sounds a film has, and the others to choose. Nothing where it came with one. */
export function SoundChoice({ item }: { item: MediaItem }) {
  return item.sounds.length > 1 ? <Choice item={item} /> : null;
}

function Choice({ item }: { item: MediaItem }) {
  const { nome, sounds, sound, levelled } = item;
  const { work, choose, stop } = useSound(item);
  const isWorking = work.state === 'working';
  const wanted = choose.isPending || isWorking ? choose.variables : undefined;
  return (
    <Stack gap="xs" align="flex-start">
      <NativeSelect
        label={texts.label}
        description={levelled ? texts.levelGoes : undefined}
        aria-label={texts.labelOf(nome)}
        w="100%"
        maw={360}
        data={sounds.map((each, place) => ({ value: String(place), label: texts.option(each, place) }))}
        value={String(wanted ?? sound ?? 0)}
        disabled={choose.isPending || isWorking}
        onChange={({ currentTarget }) => choose.mutate(Number(currentTarget.value))}
      />
      <div role="status">{isWorking && <Text size="sm">{texts.workingOf(nome)}</Text>}</div>
      {work.state === 'stopped' && <RemakingStopped codice={work.codice} failed={texts.failed} />}
      {work.state === 'working' && (
        <>
          <RemakingBar label={texts.workingOf(nome)} share={work.progress} />
          <WorkingButton
            variant="default"
            size="sm"
            leftSection={<IconX size={18} aria-hidden />}
            aria-label={texts.cancelOf(nome)}
            working={stop.isPending}
            onClick={() => stop.mutate()}
          >
            {texts.cancel}
          </WorkingButton>
        </>
      )}
    </Stack>
  );
}
