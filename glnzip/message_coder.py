from __future__ import annotations
import numpy as np
from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.records import new_records
from glnzip.coding.arithmetic import CODER
from glnzip.coding.byte_loops import DECODE, ENCODE
from glnzip.coding.endings import ENDING, is_reached
from glnzip.coding.message_loop import CODE_BYTES, run_message
from glnzip.plan import BYTES, TEXT, BINARY, BlockPlan
from glnzip.errors import CorruptStreamError, OutputLimitError
from glnzip.planner import is_text
from glnzip.rewind import RewindableView
from glnzip.primed import primed_model
from glnzip.bytemodel.journal import plant

_SLICE = 1<<14
_RANGES = {True: (0, 0xBFFFFFFF), False: (0xC0000000, 0xFEFFFFFF)}
class MessageCoder:
    def __init__(self, level, prior):
        self.level, self.prior = level, prior
        if prior is None:
            self._origin = new_model(level)
        else:
            self._origin = primed_model(level, prior, 0)
        plant(self._origin.recent.machines, self._origin.recent.nodes)
        self._views = None
        self._coder = new_records(1, CODER)
        self._ending = new_records(1, ENDING)
    def _take(self):
        views, self._views = self._views, None
        if views is None:
            m = new_model(self.level) if self.prior is None else primed_model(self.level, self.prior, 1<<30)
            plant(m.recent.machines, m.recent.nodes)
            views = {t: RewindableView(m, self._origin, text=t) for t in (True, False)}
        return views
    def _put(self, views, text):
        if views[text].rewind():
            self._views = views
    def _begin(self, text, ):
        low, high = _RANGES[text]
        self._coder[0] = (low, high, 0, 0)
        self._ending[0] = (0, 0, 0)
    def encode(self, original):
        data = np.frombuffer(bytearray(original), np.uint8)
        payload = np.zeros(len(original), np.uint8)
        text = is_text(data)
        self._begin(text)
        views = self._take()
        view = views[text]
        for s in range(0, data.size, _SLICE):
            run_message(ENCODE, BlockPlan(BYTES, 0, form=TEXT if text else BINARY), view.model, view.journal, self._coder, self._ending, payload, data, s, min(s+_SLICE, data.size))
        self._put(views, text)
        length, number, at = (int(self._ending[0][n]) for n in ("length", "number", "at"))
        if length > data.size:
            return None
        return payload[:at].tobytes() + number.to_bytes(7, "big")[:length-at]
    def decode(self, body, max_length):
        payload = np.frombuffer(bytearray(body), np.uint8)
        text = body[0] < 0xC0
        self._begin(text)
        self._coder[0]["code"] = int.from_bytes(body[:4].ljust(4, b"\0"), "big")
        self._coder[0]["at"] = CODE_BYTES
        views = self._take()
        view = views[text]
        data = np.zeros(0, np.uint8)
        done = 0
        while done == data.size < max_length:
            data = np.concatenate((data, np.zeros(min(_SLICE, max_length-done), np.uint8)))
            done = run_message(DECODE, BlockPlan(BYTES, 0, form=TEXT if text else BINARY), view.model, view.journal, self._coder, self._ending, payload, data, done, data.size)
        self._put(views, text)
        ending = self._ending[0]
        if is_reached(ending, payload):
            return data[:done].tobytes()
        if done == max_length:
            raise OutputLimitError("too long")
        raise CorruptStreamError("no message ends like that")
