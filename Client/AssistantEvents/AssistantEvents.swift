import RunWire
