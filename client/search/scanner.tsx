/** A button that looks up the code of a packet by the camera. There is none where no data have codes or no camera can be used. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../elements/announcer.tsx';
import { Icon } from '../elements/icon.tsx';
import { dataSetStore } from '../service/service.ts';
import { useStore } from '../stores/page-stores.ts';
import { t } from '../texts/texts.ts';
import { CAN_SCAN, scanCode } from './code-reader.ts';
import { type } from './search-store.ts';

export function ScanButton() {
  const hasCodes = (useStore(dataSetStore)?.codes ?? 0) > 0;
  const [isOpen, setIsOpen] = useState(false);
  if (!hasCodes || !CAN_SCAN) return null;
  return (
    <>
      <button
        type="button"
        className="scan"
        aria-label={t('scan')}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="camera" />
      </button>
      {isOpen && <Scanner onClose={() => setIsOpen(false)} />}
    </>
  );
}

function Scanner({ onClose }: { readonly onClose: () => void }) {
  const sheet = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    sheet.current?.showModal();
    const camera = new AbortController();
    const scan = async (): Promise<void> => {
      if (video.current === null) return;
      try {
        const code = await scanCode(video.current, camera.signal);
        if (code === undefined) return;
        sheet.current?.close();
        announce(code);
        type(code);
      } catch (error) {
        const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
        setRefusal(t(isRefused ? 'cameraRefused' : 'cameraFails'));
      }
    };
    void scan();
    return () => camera.abort();
  }, []);
  return (
    <dialog className="label scanner" ref={sheet} aria-label={t('scan')} onClose={onClose}>
      <div className="label-page">
        {refusal === undefined ? (
          <>
            <video ref={video} muted playsInline />
            <p>{t('holdBars')}</p>
          </>
        ) : (
          <p role="alert">{refusal}</p>
        )}
        <button type="button" className="quiet-button" onClick={() => sheet.current?.close()}>
          {t('close')}
        </button>
      </div>
    </dialog>
  );
}
