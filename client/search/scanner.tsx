/** A button that looks up the code of a packet by the camera. There is none where no data have codes or no camera can be used. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../elements/announcer.tsx';
import { Icon } from '../elements/icon.tsx';
import { dataSetStore } from '../service/service.ts';
import { useStore } from '../stores/page-stores.ts';
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
        aria-label="Scan the code of a packet"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="camera" />
      </button>
      {isOpen && <Scanner onClose={() => setIsOpen(false)} />}
    </>
  );
}

const REFUSALS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'This page may not use the camera. Allow it in the settings of the browser, or type the digits.',
  NotFoundError: 'There is no camera. Type the digits below the bars instead.',
};

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
        announce(`Code ${code}.`);
        type(code);
      } catch (error) {
        const name = error instanceof DOMException ? error.name : '';
        setRefusal(REFUSALS[name] ?? 'The camera cannot be used. Type the digits below the bars instead.');
      }
    };
    void scan();
    return () => camera.abort();
  }, []);
  return (
    <dialog className="label scanner" ref={sheet} aria-label="Scan the code of a packet" onClose={onClose}>
      <div className="label-page">
        {refusal === undefined ? (
          <>
            <video ref={video} muted playsInline />
            <p>Hold the bars of the packet in front of the camera.</p>
          </>
        ) : (
          <p role="alert">{refusal}</p>
        )}
        <button type="button" className="quiet-button" onClick={() => sheet.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
