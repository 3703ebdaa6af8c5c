#!/bin/sh
# Make a folder in which glnzip runs as on a 64-bit ARM machine, on any other:
#
#   tests/aarch64/make_tree.sh FOLDER
#   FOLDER/python -m tests.determinism --short
#
# All of it is public: Python and its libraries are Debian's, NumPy, Numba and Click PyPI's, and
# QEMU, which runs programs of another processor, is this machine's own or Debian's. Nothing is
# installed, so no rights are needed; only apt-get, dpkg-deb, a Python with pip, and 1 GB of disk.
# DEBIAN_RELEASE and PACKAGES choose others (PACKAGES="numba==0.60 numpy==1.26 click"), QEMU_CPU the
# CPU when it is run.
set -eu

[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
project=$(cd "$(dirname "$0")/../.." && pwd)
release=${DEBIAN_RELEASE:-bookworm}

# unpack ARCHITECTURE PACKAGE...: put packages and all that they need into FOLDER/ARCHITECTURE.
unpack() {
    architecture=$1
    shift
    apt=$folder/apt-$architecture
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$folder/$architecture"
    : > "$apt/status"
    echo "deb http://deb.debian.org/debian $release main" > "$apt/sources.list"
    cat > "$apt/apt.conf" <<CONF
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
APT::Install-Recommends "false";
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
Debug::NoLocking "true";
CONF
    APT_CONFIG=$apt/apt.conf apt-get -qq update
    APT_CONFIG=$apt/apt.conf apt-get -qq install --yes --download-only "$@"
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb --extract "$package" "$folder/$architecture"
    done
    rm -rf "$apt"
}

qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
if [ -z "$qemu" ]; then
    unpack "$(dpkg --print-architecture)" qemu-user-static
    qemu=$folder/$(dpkg --print-architecture)/usr/bin/qemu-aarch64-static
fi

unpack arm64 python3-minimal libpython3-stdlib libstdc++6
interpreter=$(find "$folder/arm64/usr/bin" -name 'python3.*' -type f)
version=${interpreter##*python}
python3 -m pip download --quiet --dest "$folder/wheels" --only-binary=:all: \
    --platform manylinux2014_aarch64 --platform manylinux_2_27_aarch64 \
    --platform manylinux_2_28_aarch64 --python-version "$version" ${PACKAGES:-numba numpy click}
mkdir -p "$folder/packages"
for wheel in "$folder"/wheels/*.whl; do
    python3 -m zipfile --extract "$wheel" "$folder/packages"
done

# An interpreter that starts no other process: such a one would have to be emulated, too.
cat > "$folder/python" <<SCRIPT
#!/bin/sh
export PYTHONPATH="$project:$folder/packages" PYTHONDONTWRITEBYTECODE=1
exec "$qemu" -cpu "\${QEMU_CPU:-cortex-a72}" -L "$folder/arm64" "$interpreter" "\$@"
SCRIPT
chmod +x "$folder/python"
"$folder/python" -c 'import platform, numba; print(platform.machine(), "Numba", numba.__version__)'
