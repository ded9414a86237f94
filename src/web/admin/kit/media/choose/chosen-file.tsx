import { Text } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { humanSize } from '../../../../../texts/admin/amounts.ts';
import styles from './chooser.module.css';

/** The file that was chosen and not sent yet: its picture where it is one, its name and size. */
export function ChosenFile({ file }: { file: File }) {
  const picture = usePicture(file);
  return (
    <>
      {picture === null ? (
        <IconFile size={32} stroke={1.5} aria-hidden />
      ) : (
        <img src={picture} alt="" className={styles.picture} />
      )}
      <Text className={styles.name}>
        <strong>{file.name}</strong> · {humanSize(file.size)}
      </Text>
    </>
  );
}

function usePicture(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith('image/')) return setUrl(null);
    const address = URL.createObjectURL(file);
    setUrl(address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return url;
}
