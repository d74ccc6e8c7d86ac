"""What surrounds elements in HDF5: typed attributes, values of missing elements, dimensions. make_hdf5_meaning.py OUT.

xarray reads the same of the file as of its copies and references; MetadataAcrossFormatsTest states the values.
"""
import sys
import h5py
import numpy as np

with h5py.File(sys.argv[1], "w", libver="latest") as file:
    def make(name, values, fill=None, **attributes):
        made = file.create_dataset(name, data=values, chunks=values.shape or None, track_times=False, fillvalue=fill)
        for attribute, value in attributes.items():
            made.attrs[attribute] = value
        return made

    numbers = make("attributes", np.arange(2, dtype="i2"))
    numbers.attrs["f2"] = np.float16(0.1)
    numbers.attrs["f4"] = np.float32(1e20)
    numbers.attrs["big"] = np.array([0.1, np.nan], ">f4")
    numbers.attrs["f8"] = 0.1
    numbers.attrs["long"] = np.longdouble(1) / 4
    numbers.attrs["most"] = np.array([np.finfo("f8").max, np.inf], "longdouble")
    numbers.attrs["record"] = np.array((1, 0.1), [("a", "i4"), ("b", "f4")])

    make("f4", np.array([1, 1e20], "f4"), _FillValue=np.float32(1e20))
    make("f2", np.array([1, 2], "f2"), _FillValue=np.float16(0.1))
    make("i2", np.array([1, -9999], "i2"), _FillValue=-9999.0)
    make("u1", np.array([1, 255], "u1"), _FillValue=np.array([255], "u1"))
    make("odd", np.array([1, 2], "i2"), _FillValue=np.nan)
    make("c8", np.array([1, 2j], "c8"), _FillValue=np.complex64(0.1 + 1j))
    make("text", np.array([b"a", b"-"]), _FillValue=np.bytes_(b"-"))
    make("none", np.zeros(2, "i4"), fill=-5)
    make("scalar", np.array(7, "i4"))

    # chunks that are missing: of the fill value, with and without an attribute that is the same
    def sparse(name, fill, **more):
        made = file.create_dataset(name, (6,), "<i4", chunks=(2,), fillvalue=fill, track_times=False, **more)
        made[2:4] = [0, 1]
        return made

    sparse("sparse", 7, compression="gzip")
    sparse("same", 7).attrs["_FillValue"] = np.int32(7)
    sparse("other", 7).attrs["_FillValue"] = np.int32(0)
    sparse("zero", 0)
    file.create_dataset("huge", (1 << 40,), "<i4", chunks=(1 << 20,), fillvalue=7, track_times=False)

    # dimensions
    group = file.create_group("dimensions")
    for name, values in (("x", [1, 2, 3]), ("y", [1, 2])):
        group[name] = np.array(values)
        group[name].make_scale(name)
    group["x"].attrs["_Netcdf4Dimid"] = np.int32(4)
    group["y"].attrs["_Netcdf4Dimid"] = np.int32(5)
    group["named"] = np.zeros((2, 3))
    group["named"].dims[0].attach_scale(group["y"])
    group["named"].dims[1].attach_scale(group["x"])
    group["plain"] = np.zeros((3, 3, 5))
    group["again"] = np.zeros((5, 3))
    group["coordinates"] = np.zeros((2, 3))
    group["coordinates"].make_scale("coordinates")
    group["coordinates"].attrs["_Netcdf4Coordinates"] = np.array([5, 4], "i4")

    # a checksum before the shuffle: the bytes that are shuffled are no multiple of 8, but one of 4
    for name, values in (("checksum8", np.arange(6, dtype="<f8")), ("checksum4", np.arange(6, dtype="<i4"))):
        chain = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        chain.set_obj_track_times(False)
        chain.set_chunk((3,))
        chain.set_fletcher32()
        chain.set_shuffle()
        chain.set_deflate(6)
        kind, space = h5py.h5t.py_create(values.dtype), h5py.h5s.create_simple((6,))
        h5py.h5d.create(file.id, name.encode(), kind, space, chain)
        file[name][...] = values

    # variables of NetCDF that were written less far than their unlimited dimension
    group = file.create_group("unlimited")
    group.create_dataset("t", (1,), "f8", maxshape=(None,), chunks=(2,), fillvalue=-1.0)[...] = 5
    group["t"].make_scale("t")
    group["t"].attrs["_Netcdf4Dimid"] = np.int32(0)
    for name, length in (("none", 0), ("some", 2), ("all", 3)):
        made = group.create_dataset(name, (length, 2), "i2", maxshape=(None, 2), chunks=(1, 2), fillvalue=7)
        made[...] = 1
        made.dims[0].attach_scale(group["t"])
    group.create_dataset("other", (1,), "i2", maxshape=(None,), chunks=(2,))  # of no dimension

    # attributes without a value in JSON: a reference to a region, more elements than are read; and references that have one
    group = file.create_group("left_out")
    made = group.create_dataset("a", data=np.zeros(2, "i2"), track_times=False)
    for node in (group, made):
        node.attrs["region"] = made.regionref[0:1]
        node.attrs["object"] = made.ref
        node.attrs["nothing"] = h5py.Reference()
        node.attrs["kept"] = 1

    # what has a form, but not all of it: names of values, text that is not UTF-8, links without a node
    group = file.create_group("in_part")
    cloud = h5py.enum_dtype({"clear": 0, "cumulus": 1}, "i1")
    group.create_dataset("a", data=np.array([0, 1], "i1"), dtype=cloud, track_times=False)
    group["a"].attrs.create("first", 1, dtype=cloud)
    group["a"].attrs["unit"] = np.bytes_("\xb5m".encode("latin-1"))
    group["elsewhere"] = h5py.ExternalLink("other.h5", "/a")
    group["nowhere"] = h5py.SoftLink("/nothing")
    group["above"] = h5py.SoftLink("/")
    group["soft"] = h5py.SoftLink("/in_part/a")
